import { createDecipheriv, createHmac, type Decipheriv, type Hmac } from 'node:crypto'
import { pipeline, Readable, Transform } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { DEF_MEDIA_HOST, getMediaKeys, type WAMessage } from 'baileys'
import { LineRefusedError } from '../../line.ts'
import { type MediaFileKey, readDirectPath, toReuploadMessage } from './media-content.ts'

/** Download timeout; the file is retried later. */
const downloadTimeoutMs = 60_000
/** The store's response statuses if a file was deleted or its URL has expired. */
const missingStatuses = [403, 404, 410]
/** The last bytes of the file are the signature of the rest. */
const signatureLength = 10

type ReuploadMessage = (message: WAMessage) => Promise<WAMessage>

/** The file of a message, decrypted as a stream. If the store has deleted it, the phone is asked to upload it again. */
export async function downloadMedia(
  key: Record<string, unknown>,
  reupload: ReuploadMessage,
): Promise<{ stream: Readable; name: string }> {
  const file = key as MediaFileKey
  if (!file.path || !file.mediaKey) throw new LineRefusedError('media-gone')
  const body = (await fetchFile(file.path)) ?? (await fetchFile(await requestReupload(file, reupload)))
  if (!body) throw new LineRefusedError('media-gone')
  const { iv, cipherKey, macKey } = await getMediaKeys(Buffer.from(file.mediaKey, 'base64'), file.type)
  if (!macKey) throw new Error('nothing to check the file with')
  const hmac = createHmac('sha256', macKey).update(iv)
  const stream = pipeline(body, makeDecryptStream(createDecipheriv('aes-256-cbc', cipherKey, iv), hmac), () => {})
  return { stream, name: file.name }
}

/** Null if the file no longer exists. The host is always WhatsApp's own: a sender can only choose a path. */
async function fetchFile(path: string): Promise<Readable | null> {
  if (!/^\/(?!\/)/.test(path)) throw new LineRefusedError('media-gone')
  const headers = { origin: 'https://web.whatsapp.com' }
  const signal = AbortSignal.timeout(downloadTimeoutMs)
  const response = await fetch(`https://${DEF_MEDIA_HOST}${path}`, { headers, signal, redirect: 'error' })
  if (response.ok && response.body) return Readable.fromWeb(response.body as WebStream)
  await response.body?.cancel()
  if (missingStatuses.includes(response.status)) return null
  throw new Error(`the file store answered ${response.status}`)
}

/** Asks the phone to upload the file again. The phone may have lost it too; a phone that is off answers later. */
async function requestReupload(file: MediaFileKey, reupload: ReuploadMessage): Promise<string> {
  try {
    return readDirectPath(await reupload(toReuploadMessage(file)), file)
  } catch (error) {
    const { statusCode } = (error as { output?: { statusCode?: number } }).output ?? {}
    if (statusCode === 404 || statusCode === 412) throw new LineRefusedError('media-gone')
    throw error
  }
}

/** Decrypts the stream without the signature at its end, and fails at the end if the signature does not match. */
function makeDecryptStream(decipher: Decipheriv, hmac: Hmac): Transform {
  let trailer = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      const all = Buffer.concat([trailer, chunk])
      const sealed = all.subarray(0, Math.max(0, all.length - signatureLength))
      trailer = all.subarray(sealed.length)
      hmac.update(sealed)
      next(null, decipher.update(sealed))
    },
    flush(done) {
      if (!hmac.digest().subarray(0, signatureLength).equals(trailer)) return done(new Error('the file was changed'))
      try {
        done(null, decipher.final())
      } catch (error) {
        done(error as Error)
      }
    },
  })
}
