import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type EntryHead, type ReadEntry, readEntries } from './archive-format.ts'
import { BackupError } from './backup-error.ts'
import { openSealedStream } from './seal-stream.ts'

export type InstallationHead = Extract<EntryHead, { kind: 'house' }>
/** What a backup contained. */
export type BackupSummary = { madeAt: string; tables: number; rows: number; files: number; fileBytes: number }
export type BackupReader = {
  installation?(head: InstallationHead): Promise<void>
  table?(entry: ReadEntry, head: Extract<EntryHead, { kind: 'table' }>): Promise<void>
  jobs?(entry: ReadEntry): Promise<void>
  file?(head: Extract<EntryHead, { kind: 'file' }>, content: AsyncIterable<Buffer>): Promise<void>
}

/** Rows typically compress to a tenth of their size; only a file of zeros compresses to a thousandth. */
const maxCompressionRatio = 200
const minUnpackedBytes = 1024 ** 3

/** The maximum unpacked size of a backup, unless the operator allows more: a small file can unpack to any size. */
export const maxUnpackedBytes = (packed: number): number => minUnpackedBytes + maxCompressionRatio * packed

/** Throws if more than this many bytes pass through. */
const limitBytes = (maxBytes: number) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new BackupError(
          `It holds more than ${maxBytes} bytes, far more than its size lets expect (--max-unpacked-gb N).`,
        )
      yield chunk
    }
  }

/** Reads a backup to its end and verifies the checksum of every piece and file. Callers can process its content. */
export async function readBackup(
  source: Readable,
  passphrase: string,
  reader: BackupReader = {},
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<BackupSummary> {
  const summary: BackupSummary = { madeAt: '', tables: 0, rows: 0, files: 0, fileBytes: 0 }
  await pipeline(
    source,
    openSealedStream(passphrase),
    createGunzip(),
    limitBytes(maxBytes),
    async (plain: AsyncIterable<Buffer>) => {
      for await (const entry of readEntries(plain)) await readOneEntry(entry, summary, reader)
    },
  )
  return summary
}

/** Reads the whole backup and changes nothing: returns its content and its installation. */
export async function checkBackup(
  file: string,
  passphrase: string,
  maxBytes: number | null = null,
): Promise<{ house: InstallationHead; summary: BackupSummary }> {
  let installation: InstallationHead | undefined
  const found = await stat(file)
  if (!found.isFile()) throw new BackupError(`${file} is not a file.`)
  const reader: BackupReader = {
    installation: async (head) => {
      installation = head
    },
  }
  const summary = await readBackup(createReadStream(file), passphrase, reader, maxBytes ?? maxUnpackedBytes(found.size))
  if (!installation) throw new BackupError('It is damaged.')
  return { house: installation, summary: summary }
}

async function readOneEntry(entry: ReadEntry, summary: BackupSummary, reader: BackupReader): Promise<void> {
  const { head } = entry
  if (head.kind !== 'house' && !summary.madeAt) throw new BackupError('It is damaged.')
  if (head.kind === 'house') {
    summary.madeAt = head.madeAt
    await reader.installation?.(head)
  }
  if (head.kind === 'table') {
    await reader.table?.(entry, head)
    summary.tables++
    summary.rows += (await entry.tail()).count ?? 0
  }
  if (head.kind === 'jobs') await reader.jobs?.(entry)
  if (head.kind === 'file') {
    const { content, result } = hashStream(entry.body)
    if (reader.file) await reader.file(head, content)
    else for await (const _ of content);
    const { count, sum } = result()
    const recordedTail = await entry.tail()
    if (recordedTail.sum !== sum || recordedTail.count !== count)
      throw new BackupError(`The file ${head.name} is not what it was.`)
    summary.files++
    summary.fileBytes += count
  }
}

/** Counts and hashes what passes through. */
export function hashStream(source: AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  let count = 0
  async function* content() {
    for await (const chunk of source) {
      hash.update(chunk)
      count += chunk.length
      yield chunk
    }
  }
  return { content: content(), result: () => ({ count, sum: hash.digest('hex') }) }
}
