import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ImportLimits } from '../limits.ts'
import { isNestedDeeper, toPrintable } from '../plain-text.ts'
import { ImportExportError } from './import-export-error.ts'
import { archiveVersion, Manifest, MediaFile, manifestName, mediaFolderName, mediaListName } from './manifest.ts'

export type ArchiveRow = Record<string, unknown>
export type OpenArchive = Awaited<ReturnType<typeof openArchive>>

/** A manifest lists some sixty tables with their columns, which take a tenth of this. */
const maxManifestBytes = 4 * 1024 ** 2
/** Maximum nesting of JSON: WhatsApp events are nested some ten levels deep. */
const maxDepth = 40
const chunkBytes = 256 * 1024

/**
 * Opens a file of the archive. It must be a regular file: a link could lead to a file of the server, and a pipe or a
 * device never ends. The path could be replaced before it is opened, so the open handle is checked.
 */
async function openPlainFile(path: string, name: string): Promise<{ handle: FileHandle; size: number }> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new ImportExportError(`${name} is missing.`)
    throw new ImportExportError(`${name} is not a plain file that can be read.`)
  })
  const found = await handle.stat()
  if (found.isFile()) return { handle, size: found.size }
  await handle.close()
  throw new ImportExportError(`${name} is not a plain file that can be read.`)
}

/** Parses a row as a JSON object; on error it refuses the archive and names the position. */
function parseObject(line: string, where: string): ArchiveRow {
  if (isNestedDeeper(line, maxDepth)) throw new ImportExportError(`${where} is nested deeper than ${maxDepth} levels.`)
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    throw new ImportExportError(`${where} is not JSON.`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new ImportExportError(`${where} is not a JSON object.`)
  return parsed as ArchiveRow
}

/**
 * Splits at line feeds only: Node's own reader also splits at characters that may be in a text. Rows are counted and
 * hashed on each reading, so a change of the file between two readings is detected.
 */
async function* readLines(
  handle: FileHandle,
  { file, bytes, sha256 }: { file: string; bytes: number; sha256: string },
  lineBytes: number,
): AsyncGenerator<string[]> {
  const sum = createHash('sha256')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const textOf = (line: Buffer): string => {
    if (line.length > lineBytes)
      throw new ImportExportError(`${file} has a line of more than ${lineBytes} bytes (--limit lineBytes=…).`)
    try {
      return decoder.decode(line)
    } catch {
      throw new ImportExportError(`${file} is not UTF-8.`)
    }
  }
  let total = 0
  let pendingChunks: Buffer[] = []
  let pendingBytes = 0
  for await (const parsed of handle.createReadStream({ highWaterMark: chunkBytes, autoClose: false, start: 0 })) {
    const chunk = parsed as Buffer
    total += chunk.length
    if (total > bytes) break
    sum.update(chunk)
    const lines: string[] = []
    let at = 0
    for (let end = chunk.indexOf(10, at); end >= 0; end = chunk.indexOf(10, at)) {
      const piece = chunk.subarray(at, end)
      const line = textOf(pendingChunks.length ? Buffer.concat([...pendingChunks, piece]) : piece)
      pendingChunks = []
      pendingBytes = 0
      if (line) lines.push(line)
      at = end + 1
    }
    if (at < chunk.length) {
      pendingChunks.push(Buffer.from(chunk.subarray(at)))
      pendingBytes += chunk.length - at
      if (pendingBytes > lineBytes) textOf(Buffer.concat(pendingChunks))
    }
    if (lines.length) yield lines
  }
  if (total !== bytes || sum.digest('hex') !== sha256)
    throw new ImportExportError(`${file} is not what was exported: its checksum differs.`)
  if (pendingChunks.length) yield [textOf(Buffer.concat(pendingChunks))]
}

async function readManifest(root: string, folder: string): Promise<Manifest> {
  const { handle, size } = await openPlainFile(join(root, manifestName), manifestName).catch(() => {
    throw new ImportExportError(`${folder} is no whole export: it has no ${manifestName}.`)
  })
  try {
    if (size > maxManifestBytes) throw new ImportExportError(`${manifestName} is larger than any manifest.`)
    const raw = parseObject(await handle.readFile('utf8'), manifestName)
    if (typeof raw.version === 'number' && raw.version > archiveVersion)
      throw new ImportExportError('It was exported by a newer Recado: update this one first.')
    const parsed = Manifest.safeParse(raw)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const issuePath = issue?.path.length ? `: ${toPrintable(issue.path.join('.'))}` : ''
    throw new ImportExportError(`${manifestName} is not the manifest of an exported company${issuePath}.`)
  } finally {
    await handle.close()
  }
}

/** Opens the folder of an exported company. It is not trusted: its manifest is compared with its content. */
export async function openArchive(folder: string, limits: ImportLimits) {
  const root = await realpath(folder).catch(() => folder)
  const manifest = await readManifest(root, folder)
  assertWithinLimits(manifest, limits)

  async function* lines(entry: Manifest['tables'][number] | Manifest['media']): AsyncGenerator<string[]> {
    const { handle, size } = await openPlainFile(join(root, entry.file), entry.file)
    try {
      if (size !== entry.bytes)
        throw new ImportExportError(`${entry.file} is not what was exported: its checksum differs.`)
      yield* readLines(handle, entry, limits.lineBytes)
    } finally {
      await handle.close()
    }
  }

  return {
    manifest,

    /** The rows of a table in batches, with the length of each. */
    async *rows(table: string): AsyncGenerator<{ row: ArchiveRow; bytes: number; where: string }[]> {
      const entry = manifest.tables.find(({ name }) => name === table)
      if (!entry) return
      let count = 0
      for await (const batch of lines(entry)) {
        yield batch.map((line) => {
          const where = `${entry.file}, line ${++count}`
          return { row: parseObject(line, where), bytes: line.length, where }
        })
        if (count > entry.rows) break
      }
      if (count !== entry.rows)
        throw new ImportExportError(`${entry.file} has not the ${entry.rows} rows that were exported.`)
    },

    /** Every listed file, each once, with a name in our store's format. */
    async *media(): AsyncGenerator<MediaFile> {
      const seen = new Set<string>()
      let bytes = 0
      for await (const batch of lines(manifest.media))
        for (const line of batch) {
          const parsed = MediaFile.safeParse(parseObject(line, mediaListName))
          if (!parsed.success)
            throw new ImportExportError(
              `${mediaListName}, line ${seen.size + 1}: no name, size and checksum of a file of ours.`,
            )
          const { name, size } = parsed.data
          bytes += size
          if (seen.has(name)) throw new ImportExportError(`${mediaListName} has the file ${name} twice.`)
          if (size > limits.fileBytes)
            throw new ImportExportError(`The file ${name} is too large (--limit fileBytes=…).`)
          if (bytes > limits.mediaBytes) throw new ImportExportError('The files are too large (--limit mediaBytes=…).')
          seen.add(name)
          if (seen.size > manifest.media.files) break
          yield parsed.data
        }
      if (seen.size !== manifest.media.files)
        throw new ImportExportError(`${mediaListName} has not the ${manifest.media.files} files that were exported.`)
    },

    /** Opens a listed file as a stream, if it has the listed length. */
    async file({ name, size }: MediaFile): Promise<Readable> {
      const mediaDir = await lstat(join(root, mediaFolderName)).catch(() => null)
      if (!mediaDir?.isDirectory()) throw new ImportExportError(`${mediaFolderName} is not a folder of its own.`)
      const found = await openPlainFile(join(root, mediaFolderName, name), `The file ${name}`)
      if (found.size === size) return found.handle.createReadStream()
      await found.handle.close()
      throw new ImportExportError(`The file ${name} is not what was exported.`)
    },
  }
}

function assertWithinLimits({ tables, media }: Manifest, limits: ImportLimits): void {
  const assertAtMost = (what: string, found: number, limit: keyof ImportLimits) => {
    if (found > limits[limit])
      throw new ImportExportError(`${what}: ${found}, at most ${limits[limit]} (--limit ${limit}=…).`)
  }
  for (const { name, rows, bytes } of tables) {
    assertAtMost(`Rows of ${name}`, rows, 'tableRows')
    assertAtMost(`Bytes of ${name}`, bytes, 'tableBytes')
  }
  assertAtMost(
    'Rows of all tables',
    tables.reduce((sum, { rows }) => sum + rows, 0),
    'rows',
  )
  assertAtMost(
    'Bytes of all tables',
    tables.reduce((sum, { bytes }) => sum + bytes, 0),
    'bytes',
  )
  assertAtMost('Files', media.files, 'files')
  assertAtMost('Bytes of all files', media.bytesOfFiles, 'mediaBytes')
}
