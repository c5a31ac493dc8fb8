import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileTypeFromFile } from 'file-type'
import { type Clock, hours } from '../clock.ts'
import type { Vault } from '../crypto.ts'
import { AppError } from '../errors.ts'
import { pdfPages } from './pdf-pages.ts'

/** A file that has arrived but belongs to nobody yet. `pages`: of a PDF that tells. */
export type Upload = { path: string; name: string; size: number; type: string; pages: number | null }
/** What a row keeps of its file. */
export type Stored = { mediaPath: string; mediaName: string; mediaType: string }

type Named = { mediaPath: string; mediaName: string | null }

export type Files = ReturnType<typeof makeFiles>

/** Types a browser may show in place. Everything else, above all what could run, is only ever downloaded. */
const harmless = /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)$/
const extensions: Record<string, string> = { 'text/plain': '.txt', 'application/octet-stream': '.bin' }
const endings: Record<string, string> = {
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
const randomName = /^[\w-]{32}\.[a-z0-9]{1,10}$/

/**
 * Files live under random names, one folder per company. Who holds a signed address may read the file until it runs
 * out; there is no other way to it.
 */
export function makeFiles(dataDir: string, vault: Vault, clock: Clock, limit: number) {
  const folder = (companyId: number | string) => join(dataDir, 'files', String(companyId))
  const incoming = join(dataDir, 'incoming')

  /** The address stays the same within an hour, so browsers can cache, and works for one to two hours. */
  const path = (companyId: number, stored: Named): string =>
    signed(companyId, stored, Math.ceil(clock.now().getTime() / hours(1) + 1) * hours(1))
  function signed(companyId: number, stored: Named, until: number): string {
    const name = encodeURIComponent(stored.mediaName ?? 'file')
    const signature = vault.sign('file', `${companyId}/${stored.mediaPath}/${name}/${until}`)
    return `${companyId}/${stored.mediaPath}/${name}?until=${until}&sig=${signature}`
  }

  return {
    limit,
    path,
    /** Where all files of a company are, for who moves it. */
    folder,
    /** One that does not run out while the file is there: a portrait, whose address stands in a row. */
    lasting: (companyId: number, stored: Named): string => signed(companyId, stored, endOfTime),

    /** Streams an upload to disk and finds out what it really is. */
    async receive(stream: Readable & { truncated?: boolean }, givenName: string): Promise<Upload> {
      await mkdir(incoming, { recursive: true })
      const target = join(incoming, randomBytes(24).toString('base64url'))
      try {
        await pipeline(stream, createWriteStream(target, { mode: 0o600 }))
        if (stream.truncated) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
        const sniffed = await fileTypeFromFile(target)
        const { size } = await stat(target)
        const type = sniffed?.mime ?? 'application/octet-stream'
        const pages = type === 'application/pdf' ? await pdfPages(target, size) : null
        return { path: target, name: plainName(givenName), size, type, pages }
      } catch (error) {
        await rm(target, { force: true })
        throw error
      }
    },

    /** Gives the upload to a company, under a name nobody can guess. */
    async keep(companyId: number, upload: Upload): Promise<Stored> {
      const extension = extname(upload.name).toLowerCase()
      const ending = /^\.[a-z0-9]{1,10}$/.test(extension) ? extension : (extensions[upload.type] ?? '.bin')
      const mediaPath = `${randomBytes(24).toString('base64url')}${ending}`
      await mkdir(folder(companyId), { recursive: true })
      await rename(upload.path, join(folder(companyId), mediaPath))
      return { mediaPath, mediaName: upload.name, mediaType: upload.type }
    },

    /** The same file once more under a name of its own: either may go without the other. Null where it is gone. */
    async copy(companyId: number, mediaPath: string): Promise<string | null> {
      if (!randomName.test(mediaPath)) return null
      const name = `${randomBytes(24).toString('base64url')}${extname(mediaPath)}`
      const [from, to] = [join(folder(companyId), mediaPath), join(folder(companyId), name)]
      return link(from, to).then(
        () => name,
        (error) => {
          if (error.code === 'ENOENT') return null
          throw error
        },
      )
    },

    /** What a signed address stands for, or a refusal that does not end anybody's session. */
    async open(companyId: string, name: string, shownName: string, query: { until?: string; sig?: string }) {
      const signed = vault.signed(
        'file',
        `${companyId}/${name}/${encodeURIComponent(shownName)}/${query.until}`,
        String(query.sig ?? ''),
      )
      if (!signed || !/^\d+$/.test(companyId) || !randomName.test(name)) throw new AppError('ERR_NOT_FOUND')
      if (Number(query.until) < clock.now().getTime()) throw new AppError('ERR_LINK_EXPIRED')
      const file = join(folder(Number(companyId)), name)
      const found = await stat(file).catch(() => null)
      if (!found) throw new AppError('ERR_NOT_FOUND')
      const type = (await fileTypeFromFile(file))?.mime ?? 'application/octet-stream'
      const inline = harmless.test(type)
      return {
        size: found.size,
        type,
        inline,
        read: (range?: { start: number; end: number }) => createReadStream(file, range),
      }
    },

    /** A file of the company, for the house's own use. */
    read: (companyId: number, mediaPath: string): Readable => {
      if (!randomName.test(mediaPath)) throw new AppError('ERR_NOT_FOUND')
      return createReadStream(join(folder(companyId), mediaPath))
    },
    /** Where it is, for a reader in a thread of its own. */
    placeOf: (companyId: number, mediaPath: string): string => {
      if (!randomName.test(mediaPath)) throw new AppError('ERR_NOT_FOUND')
      return join(folder(companyId), mediaPath)
    },
    /** What it is by its ending, for the line that sends it; the true type was found when it came. */
    typeOf: (name: string): string => endings[extname(name).slice(1)] ?? 'application/octet-stream',

    /** Every file of every company, as it is come upon. `born`: when it came to be, in milliseconds. */
    async *all(): AsyncGenerator<{ companyId: number; name: string; born: number }> {
      const companies = await readdir(join(dataDir, 'files')).catch(() => [])
      for (const companyId of companies.filter((name) => /^\d+$/.test(name)).map(Number)) {
        for await (const { name } of await opendir(folder(companyId))) {
          const found = randomName.test(name) && (await stat(join(folder(companyId), name)).catch(() => null))
          if (found) yield { companyId, name, born: Math.min(found.birthtimeMs || Infinity, found.mtimeMs) }
        }
      }
    },
    /** A file that had this name before, in another place. */
    async putBack(companyId: number, name: string, content: AsyncIterable<Buffer>): Promise<void> {
      await mkdir(folder(companyId), { recursive: true })
      await mkdir(incoming, { recursive: true })
      const half = join(incoming, name)
      await pipeline(content, createWriteStream(half, { mode: 0o600 }))
      await rename(half, join(folder(companyId), name))
    },

    /** Uploads that a crash left half way: nobody will come for them. */
    async tidy(): Promise<void> {
      for (const name of await readdir(incoming).catch(() => [])) {
        const file = join(incoming, name)
        const left = await stat(file).catch(() => null)
        if (left && left.mtimeMs < Date.now() - hours(24)) await rm(file, { force: true })
      }
    },
    discard: (upload: Upload) => rm(upload.path, { force: true }),
    async remove(companyId: number, names: string[]): Promise<void> {
      for (const name of names) if (randomName.test(name)) await rm(join(folder(companyId), name), { force: true })
    },
    removeCompany: (companyId: number) => rm(folder(companyId), { recursive: true, force: true }),
  }
}

/** As the user called it, without folders, signs that break a header or turn the reading direction; spaces become underscores (spec 5). */
function plainName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must go
    .replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069"<>|:*?]/g, '')
    .trim()
    .replace(/\s+/g, '_')
  // By whole signs: half an emoji is not text.
  return [...plain].slice(-150).join('') || 'file'
}
