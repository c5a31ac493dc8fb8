import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'
import { type Clock, hours, minutes } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Vault } from '../crypto.ts'
import { AppError } from '../errors.ts'
import { makeByteBudget } from '../http/rate-limits.ts'
import { makeDiskGuard } from './disk-guard.ts'
import { type ByteRange, type FileStoreEntry, makeDiskStore } from './file-store.ts'
import { countPdfPages } from './pdf-pages.ts'
import { makeS3Store, readS3Address } from './s3.ts'

/** An uploaded file that belongs to no record yet. `pages`: the page count of a PDF that declares it. */
export type Upload = { path: string; name: string; size: number; type: string; pages: number | null }
/** The columns of a row that has a file. */
export type MediaColumns = { mediaPath: string; mediaName: string; mediaType: string }

type NamedFile = { mediaPath: string; mediaName: string | null }

export type Files = ReturnType<typeof makeFiles>
export type FileSettings = Pick<Config, 'dataDir' | 'uploadLimit' | 'diskReservePercent' | 'filesUrl'>

/** Upload limit per user and minute. The file that exceeds the limit is still accepted; the next file waits. */
const uploadBytesPerMinute = 200 * 1024 * 1024

/** Types a browser may show inline. Everything else, above all active content, is only ever downloaded. */
const inlineTypes = /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)$/
const extensionByType: Record<string, string> = { 'text/plain': '.txt', 'application/octet-stream': '.bin' }
const typeByExtension: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
  '3gp': 'video/3gpp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}
const endOfTime = Date.UTC(9999, 0)
/** The format of stored file names: random, without path separators. */
export const storedFileNamePattern = /^[\w-]{32}\.[a-z0-9]{1,10}$/

/** How much of a file is read to detect its type. */
const sniffedBytes = 64 * 1024
/** Maximum number of cached file types: a player requests a video in many ranges. */
const maxCachedTypes = 2000

/**
 * Files are stored under random names, per company, on disk or in an S3-compatible store. A signed URL gives read
 * access until it expires; there is no other access.
 */
export function makeFiles(
  { dataDir, uploadLimit: limit, diskReservePercent, filesUrl }: FileSettings,
  vault: Vault,
  clock: Clock,
) {
  const address = filesUrl ? readS3Address(filesUrl) : null
  if (filesUrl && !address) throw new Error('FILES_URL cannot be understood')
  const store = address ? makeS3Store(address) : makeDiskStore(join(dataDir, 'files'))
  const incoming = join(dataDir, 'incoming')
  const types = new Map<string, string>()
  const assertDiskSpace = makeDiskGuard(dataDir, diskReservePercent)
  const budget = makeByteBudget(clock, { bytes: uploadBytesPerMinute, windowMs: minutes(1) })

  /** The URL stays the same within an hour, so browsers can cache, and is valid for one to two hours. */
  const path = (companyId: number, stored: NamedFile): string =>
    buildSignedPath(companyId, stored, Math.ceil(clock.now().getTime() / hours(1) + 1) * hours(1))
  function buildSignedPath(companyId: number, stored: NamedFile, until: number): string {
    const name = encodeURIComponent(stored.mediaName ?? 'file')
    const signature = vault.sign('file', `${companyId}/${stored.mediaPath}/${name}/${until}`)
    return `${companyId}/${stored.mediaPath}/${name}?until=${until}&sig=${signature}`
  }

  /** The real type of a file. For a file in a remote store, only its beginning is read. */
  async function detectType(companyId: number, name: string, size: number): Promise<string> {
    const localPath = store.localPath(companyId, name)
    if (localPath) return (await fileTypeFromFile(localPath))?.mime ?? 'application/octet-stream'
    const known = types.get(name)
    if (known) return known
    const end = Math.min(size, sniffedBytes) - 1
    const begin = size ? await buffer(store.read(companyId, name, { start: 0, end })) : Buffer.alloc(0)
    const type = (await fileTypeFromBuffer(begin))?.mime ?? 'application/octet-stream'
    if (types.size >= maxCachedTypes) types.clear()
    types.set(name, type)
    return type
  }

  const assertStoredName = (mediaPath: string): string => {
    if (!storedFileNamePattern.test(mediaPath)) throw new AppError('ERR_NOT_FOUND')
    return mediaPath
  }

  return {
    maxUploadBytes: limit,
    uploadBudget: budget,
    signedPath: path,
    /** A URL that does not expire while the file exists, for profile pictures, whose URL is stored in a row. */
    permanentPath: (companyId: number, stored: NamedFile): string => buildSignedPath(companyId, stored, endOfTime),

    /** Streams an upload to disk and detects its real type. */
    async receive(stream: Readable & { truncated?: boolean }, givenName: string): Promise<Upload> {
      await mkdir(incoming, { recursive: true })
      await assertDiskSpace()
      const target = join(incoming, randomBytes(24).toString('base64url'))
      try {
        await pipeline(stream, createWriteStream(target, { mode: 0o600 }))
        if (stream.truncated) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
        const sniffed = await fileTypeFromFile(target)
        const { size } = await stat(target)
        const type = sniffed?.mime ?? 'application/octet-stream'
        const pages = type === 'application/pdf' ? await countPdfPages(target, size) : null
        return { path: target, name: sanitizeFileName(givenName), size, type, pages }
      } catch (error) {
        await rm(target, { force: true })
        throw error
      }
    },

    /** Stores the upload for a company, under a random name. On failure the client gets an error and can send it again. */
    async store(companyId: number, upload: Upload): Promise<MediaColumns> {
      const extension = extname(upload.name).toLowerCase()
      const ending = /^\.[a-z0-9]{1,10}$/.test(extension) ? extension : (extensionByType[upload.type] ?? '.bin')
      const mediaPath = `${randomBytes(24).toString('base64url')}${ending}`
      try {
        await store.put(companyId, mediaPath, upload.path)
      } catch (error) {
        await rm(upload.path, { force: true })
        throw error
      }
      return { mediaPath, mediaName: upload.name, mediaType: upload.type }
    },

    /** Copies a file under a new name: either file can be deleted without the other. Null if the file does not exist. */
    async copy(companyId: number, mediaPath: string): Promise<string | null> {
      if (!storedFileNamePattern.test(mediaPath)) return null
      const name = `${randomBytes(24).toString('base64url')}${extname(mediaPath)}`
      return (await store.copy(companyId, mediaPath, name)) ? name : null
    },

    /** Opens the file of a signed URL, or refuses with a status that does not end a session. */
    async openSigned(companyId: string, name: string, displayName: string, query: { until?: string; sig?: string }) {
      const buildSignedPath = vault.verify(
        'file',
        `${companyId}/${name}/${encodeURIComponent(displayName)}/${query.until}`,
        String(query.sig ?? ''),
      )
      if (!buildSignedPath || !/^\d+$/.test(companyId) || !storedFileNamePattern.test(name))
        throw new AppError('ERR_NOT_FOUND')
      if (Number(query.until) < clock.now().getTime()) throw new AppError('ERR_LINK_EXPIRED')
      const size = await store.size(Number(companyId), name)
      if (size === null) throw new AppError('ERR_NOT_FOUND')
      const type = await detectType(Number(companyId), name, size)
      return {
        size,
        type,
        inline: inlineTypes.test(type),
        read: (range?: ByteRange) => store.read(Number(companyId), name, range),
      }
    },

    /** Reads a file of the company for internal use. Emits `open` when it is ready. */
    read: (companyId: number, mediaPath: string): Readable => store.read(companyId, assertStoredName(mediaPath)),
    /** Null if the file does not exist. */
    size: (companyId: number, mediaPath: string): Promise<number | null> =>
      store.size(companyId, assertStoredName(mediaPath)),
    /** Provides a local path for a worker thread while `work` runs. */
    async withLocalFile<T>(companyId: number, mediaPath: string, work: (localPath: string) => Promise<T>): Promise<T> {
      const localPath = store.localPath(companyId, assertStoredName(mediaPath))
      if (localPath) return work(localPath)
      await mkdir(incoming, { recursive: true })
      const copy = join(incoming, `${randomBytes(24).toString('base64url')}${extname(mediaPath)}`)
      try {
        await pipeline(store.read(companyId, mediaPath), createWriteStream(copy, { mode: 0o600 }))
        return await work(copy)
      } finally {
        await rm(copy, { force: true })
      }
    },
    /** The type by extension, for the line that sends the file; the real type was detected on upload. */
    typeOf: (name: string): string => typeByExtension[extname(name).slice(1)] ?? 'application/octet-stream',

    /** Iterates over every file of one company, or of all. */
    async *listAll(companyId?: number): AsyncGenerator<FileStoreEntry> {
      for await (const found of store.list(companyId)) if (storedFileNamePattern.test(found.name)) yield found
    },
    /** Stores a file under its earlier name, such as a file that is restored from a backup. */
    async restore(companyId: number, name: string, content: AsyncIterable<Buffer>): Promise<void> {
      await mkdir(incoming, { recursive: true })
      const partialFile = join(incoming, name)
      await pipeline(content, createWriteStream(partialFile, { mode: 0o600 }))
      await store.put(companyId, name, partialFile)
    },

    /** Stores a file that is already on disk, under its own name. */
    adopt: (companyId: number, name: string, from: string): Promise<void> =>
      store.put(companyId, assertStoredName(name), from),
    /** The folder for the files of a company that is being imported, until its rows are stored. */
    stagingDir: (moving: string): string => join(dataDir, 'arriving', moving),

    /** Deletes partial uploads left by a crash. */
    async removeStaleUploads(): Promise<void> {
      for (const name of await readdir(incoming).catch(() => [])) {
        const file = join(incoming, name)
        const left = await stat(file).catch(() => null)
        if (left && left.mtimeMs < Date.now() - hours(24)) await rm(file, { force: true })
      }
    },
    discard: (upload: Upload) => rm(upload.path, { force: true }),
    remove: (companyId: number, names: string[]): Promise<void> =>
      store.remove(
        companyId,
        names.filter((name) => storedFileNamePattern.test(name)),
      ),
    removeCompany: (companyId: number): Promise<void> => store.removeAll(companyId),
  }
}

/** The user's file name, without folders, header or bidi control characters; spaces become underscores (spec 5). */
function sanitizeFileName(rawName: string): string {
  const last = rawName.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must go
    .replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069"<>|:*?]/g, '')
    .trim()
    .replace(/\s+/g, '_')
  // Cut at whole characters: half an emoji is not text.
  return [...plain].slice(-150).join('') || 'file'
}
