import { Readable } from 'node:stream'
import type { proto } from 'baileys'
import { expect, it } from 'vitest'
import type { OutboundMessage } from '../../line.ts'
import { buildWhatsAppMessage } from './build-message.ts'
import { makeVoiceConverter } from './voice-converter.ts'

const me = { phone: '5491100000000' }
const chat = '5491155556666@s.whatsapp.net'
const withoutFfmpeg = makeVoiceConverter('no-such-program')
const say = (message: Partial<OutboundMessage>, voice = withoutFfmpeg) =>
  buildWhatsAppMessage({ id: 'M1', chat, body: '', ...message }, { me }, voice)
const contentOf = async (message: Partial<OutboundMessage>) => (await say(message)).content
type Media = NonNullable<OutboundMessage['media']>
const file = (type: Media['type'], mime: string, voice = false): { media: Media } => ({
  media: { type, mime, voice, name: 'archivo', open: async () => Readable.from(['x']) },
})

it('sends text, a location, a card and a reaction', async () => {
  expect(await contentOf({ body: 'hola' })).toEqual({ text: 'hola' })
  expect(await contentOf({ location: { latitude: 1, longitude: 2, name: 'aquí' } })).toEqual({
    location: { degreesLatitude: 1, degreesLongitude: 2, name: 'aquí' },
  })
  expect(await contentOf({ contact: { name: 'Ana', vcard: 'V' } })).toEqual({
    contacts: { displayName: 'Ana', contacts: [{ displayName: 'Ana', vcard: 'V' }] },
  })
  expect(await contentOf({ reaction: { targetId: 'T', emoji: '👍', author: '7@lid' } })).toEqual({
    react: { text: '👍', key: { remoteJid: chat, id: 'T', fromMe: false, participant: '7@lid' } },
  })
})

it('marks forwarded messages', async () => {
  const contextInfo = { isForwarded: true, forwardingScore: 1 }
  expect(await contentOf({ body: 'hola', forwarded: true })).toEqual({ text: 'hola', contextInfo })
  expect(await contentOf({ ...file('image', 'image/png'), forwarded: true })).toMatchObject({ contextInfo })
})

const stream = { stream: expect.any(Readable) }
const files: [string, { media: Media }, object][] = [
  ['a picture', file('image', 'image/jpeg'), { image: stream, mimetype: 'image/jpeg', caption: 'mire' }],
  ['a film, without ffmpeg', file('video', 'video/mp4'), { video: stream, jpegThumbnail: '', caption: 'mire' }],
  ['a sticker', file('sticker', 'image/webp'), { sticker: stream }],
  ['a document', file('application', 'application/pdf'), { document: stream, fileName: 'archivo', caption: 'mire' }],
  ['a recording', file('audio', 'audio/mpeg'), { audio: stream, mimetype: 'audio/mpeg' }],
  ['a voice note that is one already', file('audio', 'audio/ogg', true), { audio: stream, ptt: true }],
  ['a voice note, without ffmpeg', file('audio', 'audio/mpeg', true), { audio: stream, mimetype: 'audio/mpeg' }],
  ['a picture that phones do not show', file('image', 'image/tiff'), { document: stream, mimetype: 'image/tiff' }],
  ['a recording that phones do not play', file('audio', 'audio/webm', true), { document: stream, fileName: 'archivo' }],
]
it.each(files)('sends %s', async (_what, message, content) => {
  expect(await contentOf({ ...message, body: 'mire' })).toMatchObject(content)
})

it('sends a measured voice note with its duration and waveform', async () => {
  const { media } = file('audio', 'audio/ogg', true)
  const measured = { ...media, seconds: 7, waveform: Uint8Array.of(1, 2) }
  expect(await contentOf({ media: measured })).toMatchObject({ ptt: true, seconds: 7, waveform: Uint8Array.of(1, 2) })
})

it('reports a missing file', async () => {
  const open = () => Promise.reject(new Error('file-missing'))
  const { media } = file('image', 'image/png')
  await expect(say({ media: { ...media, open } })).rejects.toThrow('file-missing')
})

it('quotes a message with the part of it that is stored', async () => {
  const quotedOf = async (quoted: OutboundMessage['quoted']) =>
    (await say({ body: 'sí', ...(quoted && { quoted }) })).options.quoted as proto.IWebMessageInfo | undefined
  expect(await quotedOf({ id: 'Q', fromMe: false, body: '¿hay?' })).toEqual({
    key: { remoteJid: chat, id: 'Q', fromMe: false },
    message: { conversation: '¿hay?' },
  })
  expect(await quotedOf({ id: 'Q', fromMe: true, body: 'x' })).toMatchObject({
    key: { fromMe: true, participant: '5491100000000@s.whatsapp.net' },
  })
  expect(await quotedOf({ id: 'Q', fromMe: false, body: 'x', author: '7@lid' })).toMatchObject({
    key: { participant: '7@lid' },
  })
  expect(await quotedOf(undefined)).toBeUndefined()
})
