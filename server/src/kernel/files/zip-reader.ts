import { Readable } from 'node:stream'
import { createInflateRaw, inflateRawSync } from 'node:zlib'

const [endRecordSignature, entrySignature, localHeaderSignature] = [0x06054b50, 0x02014b50, 0x04034b50]
const [stored, deflated] = [0, 8]
const encrypted = 1
/** More entries than the zip of a workbook with a hundred sheets has. */
const maxZipEntries = 2000
/** The parts of a spreadsheet that are read. Images and other parts are skipped. */
const spreadsheetParts = /^mimetype$|\.(xml|rels|bin)$/i

/**
 * Rewrites the zip with uncompressed parts. The spreadsheet reader gets only data whose real size was measured, whatever
 * headers and directories claim. Throws on too much data, and on anything that a spreadsheet program would not have
 * written.
 */
export function repackUncompressed(zip: Buffer, most: number): Buffer {
  const parts: { name: Buffer; data: Buffer }[] = []
  let left = most
  for (const { name, at, packed } of entriesOf(zip)) {
    if (!spreadsheetParts.test(name.toString('latin1'))) continue
    const data = inflateAt(zip, at, packed, left)
    left -= data.length
    if (left < 0) throw new RangeError('unpacks to too much')
    parts.push({ name, data })
  }
  return writeUncompressedZip(parts)
}

/** One part of a zip by name, with a size limit; null if missing. */
export function readZipPart(zip: Buffer, wantedName: string, most: number): Buffer | null {
  const found = entriesOf(zip).find(({ name }) => name.toString('latin1') === wantedName)
  if (!found) return null
  const data = inflateAt(zip, found.at, found.packed, most)
  if (data.length > most) throw new RangeError('unpacks to too much')
  return data
}

/** One part of a zip as a stream, for parts too long to hold in memory. */
export async function* streamZipPart(zip: Buffer, wantedName: string, most: number): AsyncGenerator<Buffer> {
  const found = entriesOf(zip).find(({ name }) => name.toString('latin1') === wantedName)
  if (!found) return
  const { data, method } = packedAt(zip, found.at, found.packed)
  const packed = Readable.from(slicesOf(data))
  const stream = method === stored ? packed : packed.pipe(createInflateRaw({ chunkSize: 65_536 }))
  let left = most
  for await (const piece of stream as AsyncIterable<Buffer>) {
    left -= piece.length
    if (left < 0) throw new RangeError('unpacks to too much')
    yield piece
  }
}

function* slicesOf(data: Buffer): Generator<Buffer> {
  for (let at = 0; at < data.length; at += 65_536) yield data.subarray(at, at + 65_536)
}

type Entry = { name: Buffer; at: number; packed: number }
function entriesOf(zip: Buffer): Entry[] {
  const end = tailOf(zip)
  const count = zip.readUInt16LE(end + 10)
  if (count > maxZipEntries) throw new RangeError('too many parts')
  let at = zip.readUInt32LE(end + 16)
  return Array.from({ length: count }, () => {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== entrySignature) throw new Error('not a zip')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field))
    const found = {
      name: zip.subarray(at + 46, at + 46 + (nameLength as number)),
      at: zip.readUInt32LE(at + 42),
      packed: zip.readUInt32LE(at + 20),
    }
    at += 46 + (nameLength as number) + (extraLength as number) + (commentLength as number)
    return found
  })
}

function tailOf(zip: Buffer): number {
  // The end record has 22 bytes, and a comment may follow it.
  for (let at = zip.length - 22; at >= 0 && at > zip.length - 70_000; at--)
    if (zip.readUInt32LE(at) === endRecordSignature) return at
  throw new Error('not a zip')
}

function inflateAt(zip: Buffer, at: number, packed: number, most: number): Buffer {
  const { data, method } = packedAt(zip, at, packed)
  // The limit is enforced before the output is allocated.
  return method === stored ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, most) })
}

function packedAt(zip: Buffer, at: number, packed: number): { data: Buffer; method: number } {
  if (at + 30 > zip.length || zip.readUInt32LE(at) !== localHeaderSignature) throw new Error('not a zip')
  if (zip.readUInt16LE(at + 6) & encrypted) throw new Error('not readable')
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  if (start + packed > zip.length) throw new Error('not a zip')
  const method = zip.readUInt16LE(at + 8)
  if (method !== stored && method !== deflated) throw new Error('not readable')
  return { data: zip.subarray(start, start + packed), method }
}

/** A zip with uncompressed parts. */
function writeUncompressedZip(parts: { name: Buffer; data: Buffer }[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, data } of parts) {
    const head = Buffer.alloc(30)
    head.writeUInt32LE(localHeaderSignature, 0)
    head.writeUInt32LE(data.length, 18)
    head.writeUInt32LE(data.length, 22)
    head.writeUInt16LE(name.length, 26)
    const row = Buffer.alloc(46)
    row.writeUInt32LE(entrySignature, 0)
    row.writeUInt32LE(data.length, 20)
    row.writeUInt32LE(data.length, 24)
    row.writeUInt16LE(name.length, 28)
    row.writeUInt32LE(at, 42)
    pieces.push(head, name, data)
    directory.push(row, name)
    at += head.length + name.length + data.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(endRecordSignature, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(
    directory.reduce((sum, piece) => sum + piece.length, 0),
    12,
  )
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, ...directory, end])
}
