import type { AnyMessageContent, MiscMessageGenerationOptions, WAMessage } from 'baileys'
import type { OutboundMessage } from '../../line.ts'
import { makeVoiceConverter, type VoiceConverter } from './voice-converter.ts'

type Media = NonNullable<OutboundMessage['media']>
type OutboundContext = { me: { phone: string; lid?: string } }
export type BuiltMessage = { content: AnyMessageContent; options: MiscMessageGenerationOptions }

/** Types that phones play in the conversation. Other files are sent as documents, which can always be opened. */
const playableTypes: Partial<Record<Media['type'], string[]>> = {
  image: ['image/jpeg', 'image/png'],
  video: ['video/mp4', 'video/3gpp'],
  audio: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/amr'],
  sticker: ['image/webp'],
}
const opusMimeType = 'audio/ogg; codecs=opus'
const defaultVoiceConverter = makeVoiceConverter()

/** The content for the library to send. */
export async function buildWhatsAppMessage(
  message: OutboundMessage,
  { me }: OutboundContext,
  voice: VoiceConverter = defaultVoiceConverter,
): Promise<BuiltMessage> {
  const content = await buildContent(message, voice)
  return {
    content: message.forwarded ? { ...content, ...asForwarded } : content,
    options: buildQuoteOptions(message, me),
  }
}

/** The forwarded mark on phones. The library's types lack it for some kinds; all of them accept it. */
const asForwarded = { contextInfo: { isForwarded: true, forwardingScore: 1 } } as object

async function buildContent(message: OutboundMessage, voice: VoiceConverter): Promise<AnyMessageContent> {
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
  return media ? buildFileContent(media, body, voice) : { text: body }
}

async function buildFileContent(media: Media, caption: string, voice: VoiceConverter): Promise<AnyMessageContent> {
  const { type, name, mime, open } = media
  if (media.voice) {
    const voiceNote = await buildVoiceNote(media, voice)
    if (voiceNote) return voiceNote
  }
  const stream = await open()
  const mimetype = mime || 'application/octet-stream'
  if (!playableTypes[type]?.includes(mediaTypeOf(mime)))
    return { document: { stream }, mimetype, fileName: name, ...(caption && { caption }) }
  const captionPart = caption ? { caption } : {}
  switch (type) {
    case 'image':
      return { image: { stream }, mimetype, ...captionPart }
    case 'video':
      // Without ffmpeg the library cannot create a thumbnail.
      return { video: { stream }, mimetype, ...captionPart, ...(!(await voice.isAvailable()) && { jpegThumbnail: '' }) }
    case 'sticker':
      return { sticker: { stream }, mimetype }
    default:
      return { audio: { stream }, mimetype }
  }
}

/** A recorded voice note is sent as it is; otherwise ffmpeg converts it, and without ffmpeg it is sent as audio. */
async function buildVoiceNote(media: Media, voice: VoiceConverter): Promise<AnyMessageContent | null> {
  const isVoiceNote = mediaTypeOf(media.mime) === 'audio/ogg'
  const voiceNote = isVoiceNote ? { ...media, stream: await media.open() } : await voice.convert(media.open)
  if (!voiceNote) return null
  const { stream, seconds, waveform } = voiceNote
  const measured = { ...(seconds && { seconds }), ...(waveform && { waveform }) }
  // The library passes the waveform on, although its types lack it.
  return { audio: { stream }, mimetype: opusMimeType, ptt: true, ...measured } as AnyMessageContent
}

const mediaTypeOf = (mime: string): string => mime.split(';')[0]?.trim() ?? ''

/** The quoted message as far as it is stored: phones show their own copy if they still have it. */
function buildQuoteOptions({ chat, quoted }: OutboundMessage, me: OutboundContext['me']): MiscMessageGenerationOptions {
  if (!quoted) return {}
  const { id, fromMe, body, author } = quoted
  const participant = fromMe ? `${me.phone}@s.whatsapp.net` : author
  const message: WAMessage = {
    key: { remoteJid: chat, id, fromMe, ...(participant && { participant }) },
    message: { conversation: body },
  }
  return { quoted: message }
}
