import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { entriesOf, type FoundEntry, type Head } from './archive.ts'
import { NotKept } from './not-kept.ts'
import { opened } from './seal.ts'

export type House = Extract<Head, { kind: 'house' }>
/** What went by. */
export type Seen = { madeAt: string; tables: number; rows: number; files: number; fileBytes: number }
export type Reader = {
  house?(head: House): Promise<void>
  table?(entry: FoundEntry, head: Extract<Head, { kind: 'table' }>): Promise<void>
  jobs?(entry: FoundEntry): Promise<void>
  file?(head: Extract<Head, { kind: 'file' }>, content: AsyncIterable<Buffer>): Promise<void>
}

/** Rows of a desk shrink to a tenth when they are packed; a file of zeros, to a thousandth. */
const usualRatio = 200
const alwaysBytes = 1024 ** 3

/** How much a backup of so many bytes may hold, unless the operator says more: a small file can unpack to any size. */
export const mostUnpacked = (packed: number): number => alwaysBytes + usualRatio * packed

/** Lets so many bytes pass. */
const bounded = (most: number) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > most)
        throw new NotKept(`It holds more than ${most} bytes, far more than its size lets expect (--max-unpacked-gb N).`)
      yield chunk
    }
  }

/** Reads a backup to its end; every piece and every file is held against its sum. Who wants more of it says so. */
export async function look(
  source: Readable,
  passphrase: string,
  reader: Reader = {},
  most = Number.POSITIVE_INFINITY,
): Promise<Seen> {
  const seen: Seen = { madeAt: '', tables: 0, rows: 0, files: 0, fileBytes: 0 }
  await pipeline(source, opened(passphrase), createGunzip(), bounded(most), async (plain: AsyncIterable<Buffer>) => {
    for await (const entry of entriesOf(plain)) await readEntry(entry, seen, reader)
  })
  return seen
}

/** Reads the whole of it and changes nothing: what it holds, and of which house it is. */
export async function check(
  file: string,
  passphrase: string,
  most: number | null = null,
): Promise<{ house: House; seen: Seen }> {
  let house: House | undefined
  const found = await stat(file)
  if (!found.isFile()) throw new NotKept(`${file} is not a file.`)
  const reader: Reader = {
    house: async (head) => {
      house = head
    },
  }
  const seen = await look(createReadStream(file), passphrase, reader, most ?? mostUnpacked(found.size))
  if (!house) throw new NotKept('It is damaged.')
  return { house, seen }
}

async function readEntry(entry: FoundEntry, seen: Seen, reader: Reader): Promise<void> {
  const { head } = entry
  if (head.kind !== 'house' && !seen.madeAt) throw new NotKept('It is damaged.')
  if (head.kind === 'house') {
    seen.madeAt = head.madeAt
    await reader.house?.(head)
  }
  if (head.kind === 'table') {
    await reader.table?.(entry, head)
    seen.tables++
    seen.rows += (await entry.tail()).count ?? 0
  }
  if (head.kind === 'jobs') await reader.jobs?.(entry)
  if (head.kind === 'file') {
    const { content, result } = summed(entry.body)
    if (reader.file) await reader.file(head, content)
    else for await (const _ of content);
    const { count, sum } = result()
    const said = await entry.tail()
    if (said.sum !== sum || said.count !== count) throw new NotKept(`The file ${head.name} is not what it was.`)
    seen.files++
    seen.fileBytes += count
  }
}

/** Counts and sums what passes through. */
export function summed(source: AsyncIterable<Buffer>) {
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
