import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { makeVoiceConverter } from '../baileys/outbound/voice-converter.ts'
import { LineRefusedError, type OutboundMessage } from '../line.ts'
import type { CloudSession } from './cloud-link.ts'
import { toCloudFailure } from './failures.ts'
import { type GraphBody, GraphRefusedError } from './graph-client.ts'

type Media = NonNullable<OutboundMessage['media']>
export type MetaMediaKind = 'image' | 'video' | 'audio' | 'sticker' | 'document'

const mb = 1024 * 1024
/** The file types that Meta accepts for each kind, and the maximum size. Other files are sent as documents. */
const acceptedTypes: Record<Exclude<MetaMediaKind, 'document'>, { types: string[]; maxBytes: number }> = {
  image: { types: ['image/jpeg', 'image/png'], maxBytes: 5 * mb },
  video: { types: ['video/mp4', 'video/3gpp'], maxBytes: 16 * mb },
  audio: { types: ['audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr', 'audio/ogg'], maxBytes: 16 * mb },
  sticker: { types: ['image/webp'], maxBytes: 512 * 1024 },
}
const maxDocumentBytes = 100 * mb

/** The kind of a file, by its real type and size. Audio with a caption is a document: audio cannot have one. */
export function chooseMetaMediaKind(
  media: Pick<Media, 'type' | 'mime'>,
  size: number,
  hasCaption: boolean,
): MetaMediaKind {
  const kind = media.type === 'application' ? 'document' : media.type
  if (kind === 'document' || (kind === 'audio' && hasCaption)) return 'document'
  const { types, maxBytes } = acceptedTypes[kind]
  return types.includes(media.mime.split(';')[0] as string) && size <= maxBytes ? kind : 'document'
}

const voiceConverter = makeVoiceConverter()

/** A browser recording becomes a voice note, which Meta accepts only as ogg; without ffmpeg it stays a file. */
export async function toVoiceNote(media: Media): Promise<Media> {
  if (media.mime.startsWith('audio/ogg')) return media
  const note = await voiceConverter.convert(media.open)
  if (!note) return media
  const parts: Buffer[] = []
  for await (const part of note.stream as AsyncIterable<Buffer>) parts.push(part)
  const name = media.name.replace(/\.\w+$/, '.ogg')
  return { ...media, name, mime: 'audio/ogg', open: async () => Readable.from(parts) }
}

/** Reads the file once for its size: Meta needs the size before the first byte, and the file is not held in memory. */
export async function measureFile(media: Media): Promise<number> {
  let size = 0
  for await (const part of (await media.open()) as AsyncIterable<Buffer>) size += part.length
  if (size > maxDocumentBytes) throw new LineRefusedError('file-too-large')
  if (!size) throw new LineRefusedError('file-missing')
  return size
}

/** Uploads a file to Meta and returns the id by which it is sent. */
export async function uploadFile(
  { graph, account }: CloudSession,
  media: Media,
  size: number,
  signal: AbortSignal,
): Promise<string> {
  const reply = await graph.upload(`${account.phoneNumberId}/media`, () => buildUploadForm(media, size), signal)
  const id = typeof reply === 'object' && reply !== null && 'id' in reply ? String(reply.id) : ''
  if (!id) throw new LineRefusedError('media-refused')
  return id
}

async function buildUploadForm(media: Media, size: number): Promise<GraphBody> {
  const boundary = `recado-${randomBytes(12).toString('hex')}`
  const mime = media.mime.split(';')[0] as string
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  // A quote or a line break would end the header value, so the name must contain neither.
  const name = media.name.replace(/["\\\r\n]/g, '_')
  const head = Buffer.from(
    `${field('messaging_product', 'whatsapp')}${field('type', mime)}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${mime}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const file = await media.open()
  async function* parts() {
    yield head
    yield* file as AsyncIterable<Buffer>
    yield tail
  }
  const total = head.length + size + tail.length
  return { type: `multipart/form-data; boundary=${boundary}`, size: total, data: Readable.from(parts()) }
}

/** Fetches a file in two steps: the URL of the file, and then the file itself as a stream. */
export async function fetchFile(
  { graph, account }: CloudSession,
  key: Record<string, unknown>,
  signal: AbortSignal,
): Promise<{ stream: Readable; name: string }> {
  const id = typeof key.mediaId === 'string' ? key.mediaId : ''
  if (!/^[\w.-]{1,200}$/.test(id)) throw new LineRefusedError('media-missing')
  try {
    const reply = await graph.get(`${id}?phone_number_id=${account.phoneNumberId}`, signal)
    const url = typeof reply === 'object' && reply !== null && 'url' in reply ? String(reply.url) : ''
    if (!URL.canParse(url)) throw new LineRefusedError('media-missing')
    return { stream: await graph.download(url, signal), name: 'file' }
  } catch (error) {
    if (error instanceof GraphRefusedError && isMediaMissing(error)) throw new LineRefusedError('media-missing')
    throw error
  }
}

const isMediaMissing = ({ status, fault }: GraphRefusedError): boolean =>
  status === 404 || toCloudFailure(fault.code) === 'media-missing' || toCloudFailure(fault.code) === 'bad-parameter'
