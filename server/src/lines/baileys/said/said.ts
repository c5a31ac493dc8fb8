import type { AnyMessageContent, MiscMessageGenerationOptions, WAMessage } from 'baileys'
import type { OutboundMessage } from '../../line.ts'
import { makeVoice, type Voice } from './voice.ts'

type Media = NonNullable<OutboundMessage['media']>
type Around = { me: { phone: string; lid?: string } }
export type Saying = { content: AnyMessageContent; options: MiscMessageGenerationOptions }

/** What phones play in the conversation; other files arrive as documents, which always open somewhere. */
const playable: Partial<Record<Media['type'], string[]>> = {
  image: ['image/jpeg', 'image/png'],
  video: ['video/mp4', 'video/3gpp'],
  audio: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/amr'],
  sticker: ['image/webp'],
}
const opus = 'audio/ogg; codecs=opus'
const usual = makeVoice()

/** What the library is told to send. */
export async function said(message: OutboundMessage, { me }: Around, voice: Voice = usual): Promise<Saying> {
  const content = await contentOf(message, voice)
  return { content: message.forwarded ? { ...content, ...asForwarded } : content, options: quoting(message, me) }
}

/** The small arrow above it on phones. Not every kind has this in the library's types; all of them take it. */
const asForwarded = { contextInfo: { isForwarded: true, forwardingScore: 1 } } as object

async function contentOf(message: OutboundMessage, voice: Voice): Promise<AnyMessageContent> {
  const { chat, body, media, location, contact, reaction } = message
  if (reaction) {
    const { targetId: id, emoji: text, fromMe = false, author: participant } = reaction
    return { react: { text, key: { remoteJid: chat, id, fromMe, ...(participant && { participant }) } } }
  }
  if (location) {
    const { latitude: degreesLatitude, longitude: degreesLongitude, name } = location
    return { location: { degreesLatitude, degreesLongitude, name } }
  }
  if (contact) {
    const { name: displayName, vcard } = contact
    return { contacts: { displayName, contacts: [{ displayName, vcard }] } }
  }
  return media ? fileContent(media, body, voice) : { text: body }
}

async function fileContent(media: Media, caption: string, voice: Voice): Promise<AnyMessageContent> {
  const { type, name, mime, open } = media
  if (media.voice) {
    const spoken = await voiceNote(media, voice)
    if (spoken) return spoken
  }
  const stream = await open()
  const mimetype = mime || 'application/octet-stream'
  if (!playable[type]?.includes(kindOf(mime)))
    return { document: { stream }, mimetype, fileName: name, ...(caption && { caption }) }
  const words = caption ? { caption } : {}
  switch (type) {
    case 'image':
      return { image: { stream }, mimetype, ...words }
    case 'video':
      // Without ffmpeg the library could draw no first picture.
      return { video: { stream }, mimetype, ...words, ...(!(await voice.isThere()) && { jpegThumbnail: '' }) }
    case 'sticker':
      return { sticker: { stream }, mimetype }
    default:
      return { audio: { stream }, mimetype }
  }
}

/** Recorded as one it is one already; otherwise ffmpeg makes one, and without that it goes as a plain recording. */
async function voiceNote(media: Media, voice: Voice): Promise<AnyMessageContent | null> {
  const isOne = kindOf(media.mime) === 'audio/ogg'
  const spoken = isOne ? { ...media, stream: await media.open() } : await voice.spoken(media.open)
  if (!spoken) return null
  const { stream, seconds, waveform } = spoken
  const measured = { ...(seconds && { seconds }), ...(waveform && { waveform }) }
  // The library passes the mountains on, though its types do not know them.
  return { audio: { stream }, mimetype: opus, ptt: true, ...measured } as AnyMessageContent
}

const kindOf = (mime: string): string => mime.split(';')[0]?.trim() ?? ''

/** The quoted message as far as we keep it: phones show their own copy where they still have it. */
function quoting({ chat, quoted }: OutboundMessage, me: Around['me']): MiscMessageGenerationOptions {
  if (!quoted) return {}
  const { id, fromMe, body, author } = quoted
  const participant = fromMe ? `${me.phone}@s.whatsapp.net` : author
  const message: WAMessage = {
    key: { remoteJid: chat, id, fromMe, ...(participant && { participant }) },
    message: { conversation: body },
  }
  return { quoted: message }
}
