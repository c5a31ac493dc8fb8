import { type MediaType, type proto, toNumber, type WAMessage, type WAMessageKey } from 'baileys'
import type { MessageContent } from '../../line.ts'

type Media = Extract<MessageContent, { kind: 'media' }>
type MediaPart = {
  url?: string | null
  directPath?: string | null
  mediaKey?: Uint8Array | null
  mimetype?: string | null
  fileLength?: Parameters<typeof toNumber>[0]
}
/** Everything needed to download the file later, stored beside the message. */
export type MediaFileKey = {
  type: MediaType
  /** The file's path on WhatsApp's file store. */
  path: string
  mediaKey: string
  mimetype: string
  size: number
  name: string
  /** The message that the file belongs to; needed to ask the phone to upload it again. */
  of: { remoteJid: string; id: string; fromMe: boolean; participant?: string }
}

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'video/quicktime': 'mov',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'application/pdf': 'pdf',
}

const defaultFileName = (word: string, { mimetype }: MediaPart): string => {
  const extension = extensions[mimetype?.split(';')[0]?.trim() ?? '']
  return extension ? `${word}.${extension}` : word
}

/** The file of a message, to be downloaded later; null if there is none. */
export function readMediaContent(message: proto.IMessage, key: WAMessageKey): Media | null {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = message
  if (imageMessage)
    return buildMediaContent(
      'image',
      'image',
      imageMessage,
      key,
      defaultFileName('image', imageMessage),
      imageMessage.caption,
    )
  const video = videoMessage ?? ptvMessage
  if (video)
    return buildMediaContent(
      'video',
      'video',
      video,
      key,
      defaultFileName(video.gifPlayback ? 'gif' : 'video', video),
      video.caption,
    )
  if (audioMessage)
    return buildMediaContent(
      'audio',
      'audio',
      audioMessage,
      key,
      defaultFileName(audioMessage.ptt ? 'voice' : 'audio', audioMessage),
    )
  if (stickerMessage)
    return buildMediaContent('sticker', 'sticker', stickerMessage, key, defaultFileName('sticker', stickerMessage))
  if (!documentMessage) return null
  const name = documentMessage.fileName || documentMessage.title || defaultFileName('file', documentMessage)
  return buildMediaContent('document', 'application', documentMessage, key, name, documentMessage.caption)
}

function buildMediaContent(
  type: MediaType,
  mediaType: Media['mediaType'],
  part: MediaPart,
  { remoteJid, id, fromMe, participant }: WAMessageKey,
  name: string,
  caption?: string | null,
): Media {
  const key: MediaFileKey = {
    type,
    path: part.directPath || pathOfUrl(part.url),
    mediaKey: Buffer.from(part.mediaKey ?? []).toString('base64'),
    mimetype: part.mimetype ?? '',
    size: toNumber(part.fileLength),
    name,
    of: { remoteJid: remoteJid ?? '', id: id ?? '', fromMe: Boolean(fromMe), ...(participant && { participant }) },
  }
  return { kind: 'media', mediaType, body: caption ?? '', name, key }
}

/** Older phones send the whole URL. Its host is ignored: otherwise a sender could choose which host the server calls. */
function pathOfUrl(url: string | null | undefined): string {
  const { pathname = '', search = '' } = URL.parse(url ?? '') ?? {}
  return pathname + search
}

/** The part of the message that the library needs to request a file again. */
export function toReuploadMessage({ type, path, mediaKey, mimetype, of }: MediaFileKey): WAMessage {
  const part = { directPath: path, mediaKey: Buffer.from(mediaKey, 'base64'), mimetype }
  return { key: of, message: { [`${type}Message`]: part } }
}

/** The new path after the phone uploaded the file again. */
export function readDirectPath({ message }: WAMessage, { type }: MediaFileKey): string {
  return message?.[`${type}Message` as 'imageMessage']?.directPath ?? ''
}
