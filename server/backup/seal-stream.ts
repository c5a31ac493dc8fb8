import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupError } from './backup-error.ts'
import { type ByteReader, encodeLength, makeByteReader } from './byte-reader.ts'

/** A backup begins with this text; everything after it is encrypted. */
const fileSignature = 'RECADO-BACKUP 1\n'
const saltLength = 16
const tagLength = 16
/** Each piece is encrypted separately, so that only one piece is in memory. */
const pieceLength = 1024 * 1024
/** The highest bit of a piece's length marks the last piece. */
const lastBit = 0x8000_0000

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
/** Each guess of a passphrase costs 64 MiB and more than a tenth of a second. */
const scryptCost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 }
const deriveKey = (passphrase: string, salt: Buffer) => scryptAsync(passphrase.normalize('NFC'), salt, 32, scryptCost)

/**
 * The key is unique to this backup, so the nonce can be a counter. The last piece is marked, so that a truncated file
 * is detected.
 */
function makeNonce(count: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(count), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Encrypts a stream: scrypt derives the key, AES-256-GCM encrypts piece by piece. */
export const sealStream = (passphrase: string) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const head = Buffer.concat([Buffer.from(fileSignature), randomBytes(saltLength)])
    const key = await deriveKey(passphrase, head.subarray(fileSignature.length))
    yield head
    let count = 0
    const seal = (plain: Buffer, isLast: boolean): Buffer => {
      const cipher = createCipheriv('aes-256-gcm', key, makeNonce(count++, isLast), { authTagLength: tagLength })
      cipher.setAAD(head)
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      const length = encodeLength((text.length | (isLast ? lastBit : 0)) >>> 0)
      return Buffer.concat([length, text, cipher.getAuthTag()])
    }
    let bufferedChunks: Buffer[] = []
    let size = 0
    for await (const chunk of source) {
      bufferedChunks.push(chunk)
      size += chunk.length
      if (size <= pieceLength) continue
      const all = Buffer.concat(bufferedChunks)
      let at = 0
      // The last piece is never empty.
      for (; all.length - at > pieceLength; at += pieceLength) yield seal(all.subarray(at, at + pieceLength), false)
      bufferedChunks = [all.subarray(at)]
      size = all.length - at
    }
    yield seal(Buffer.concat(bufferedChunks), true)
  }

/** Decrypts a stream piece by piece; a piece is passed on only after it is verified. */
export const openSealedStream = (passphrase: string) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const byteReader = makeByteReader(source)
    const head = await readHead(byteReader)
    const key = await deriveKey(passphrase, head.subarray(fileSignature.length))
    for (let count = 0; ; count++) {
      const rawLength = (await byteReader.readBytes(4)).readUInt32BE()
      const isLast = rawLength >= lastBit
      const length = isLast ? rawLength - lastBit : rawLength
      if (length > pieceLength) throw new BackupError('It is damaged.')
      const text = Buffer.from(await byteReader.readBytes(length))
      const tag = await byteReader.readBytes(tagLength)
      const decipher = createDecipheriv('aes-256-gcm', key, makeNonce(count, isLast), { authTagLength: tagLength })
      decipher.setAAD(head)
      decipher.setAuthTag(tag)
      let plain: Buffer
      try {
        plain = Buffer.concat([decipher.update(text), decipher.final()])
      } catch {
        throw new BackupError(count ? 'It is damaged.' : 'The passphrase is another, or the file is damaged.')
      }
      yield plain
      if (!isLast) continue
      if (!(await byteReader.isAtEnd())) throw new BackupError('It is damaged: something was put behind its end.')
      return
    }
  }

async function readHead(byteReader: ByteReader): Promise<Buffer> {
  const head = Buffer.from(
    await byteReader.readBytes(fileSignature.length + saltLength).catch(() => {
      throw new BackupError('This is no backup of Recado.')
    }),
  )
  if (head.subarray(0, fileSignature.length).toString() !== fileSignature)
    throw new BackupError('This is no backup of Recado.')
  return head
}
