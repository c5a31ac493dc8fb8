import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export type ZipEntry = { name: string; content: AsyncIterable<Uint8Array | string> }
type WrittenEntry = { name: Buffer; crc: number; packed: number; size: number; at: number }

/** Flags: names are UTF-8, and sizes follow each entry, so that an entry can be written before its size is known. */
const flags = 0x0808
const deflated = 8
/** 1980-01-01. The upload time is not used, because it says nothing about the file's content. */
const dosDate = 0x21
/** The plain format uses 32-bit sizes. */
const maxZipBytes = 0xffff_ffff

const packIntegers = (...given: [value: number, bytes: 2 | 4][]): Buffer => {
  const made = Buffer.alloc(given.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of given) at = made.writeUIntLE(value, at, bytes)
  return made
}

/** Writes a zip while its entries are read: neither the zip nor an entry is ever in memory as a whole. */
export async function* streamZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const placed: WrittenEntry[] = []
  let at = 0
  const count = (bytes: Buffer): Buffer => {
    at += bytes.length
    if (at > maxZipBytes) throw new Error('a zip of more than 4 GB')
    return bytes
  }
  for await (const { name: given, content } of entries) {
    const name = Buffer.from(given)
    const one: WrittenEntry = { name, crc: 0, packed: 0, size: 0, at }
    yield count(
      Buffer.concat([
        packIntegers([0x04034b50, 4], [20, 2], [flags, 2], [deflated, 2], [0, 2], [dosDate, 2]),
        packIntegers([0, 4], [0, 4], [0, 4], [name.length, 2], [0, 2]),
        name,
      ]),
    )
    for await (const bytes of compressEntry(content, one)) yield count(bytes)
    yield count(packIntegers([0x08074b50, 4], [one.crc, 4], [one.packed, 4], [one.size, 4]))
    placed.push(one)
  }
  const begin = at
  for (const { name, crc, packed, size, at: place } of placed)
    yield count(
      Buffer.concat([
        packIntegers([0x02014b50, 4], [20, 2], [20, 2], [flags, 2], [deflated, 2], [0, 2], [dosDate, 2]),
        packIntegers(
          [crc, 4],
          [packed, 4],
          [size, 4],
          [name.length, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 4],
          [place, 4],
        ),
        name,
      ]),
    )
  const length = at - begin
  yield packIntegers(
    ...([
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
      [placed.length, 2],
      [placed.length, 2],
      [length, 4],
      [begin, 4],
      [0, 2],
    ] as [number, 2 | 4][]),
  )
}

async function* compressEntry(content: ZipEntry['content'], one: WrittenEntry): AsyncGenerator<Buffer> {
  async function* counted() {
    for await (const piece of content) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      one.crc = crc32(bytes, one.crc)
      one.size += bytes.length
      yield bytes
    }
  }
  const source = Readable.from(counted(), { objectMode: false })
  const pack = createDeflateRaw({ level: 3 })
  source.on('error', (error) => pack.destroy(error))
  try {
    for await (const bytes of source.pipe(pack) as AsyncIterable<Buffer>) {
      one.packed += bytes.length
      yield bytes
    }
  } finally {
    source.destroy()
  }
}
