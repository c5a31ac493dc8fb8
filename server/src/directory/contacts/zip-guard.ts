import { inflateRawSync } from 'node:zlib'

const tail = 0x06054b50
const entry = 0x02014b50
const local = 0x04034b50
const deflated = 8

/**
 * How much a zip unpacks to, by unpacking it piece by piece with a limit: what its headers claim is no proof. Throws on
 * anything that a spreadsheet program would not have written.
 */
export function unpackedSize(zip: Buffer, most: number): number {
  let at = directoryOf(zip)
  let total = 0
  while (at + 46 <= zip.length && zip.readUInt32LE(at) === entry) {
    const [packed, nameLength, extraLength, commentLength] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ]
    total += sizeAt(zip, zip.readUInt32LE(at + 42), packed, most - total)
    if (total > most) throw new RangeError('unpacks to too much')
    at += 46 + nameLength + extraLength + commentLength
  }
  return total
}

function directoryOf(zip: Buffer): number {
  // The tail is 22 bytes long, and a comment may follow it.
  for (let at = zip.length - 22; at >= 0 && at > zip.length - 70_000; at--) {
    if (zip.readUInt32LE(at) === tail) return zip.readUInt32LE(at + 16)
  }
  throw new Error('not a zip')
}

function sizeAt(zip: Buffer, at: number, packed: number, most: number): number {
  if (at + 30 > zip.length || zip.readUInt32LE(at) !== local) throw new Error('not a zip')
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  const data = zip.subarray(start, start + packed)
  const size =
    zip.readUInt16LE(at + 8) === deflated
      ? inflateRawSync(data, { maxOutputLength: Math.max(1, most) }).length
      : data.length
  // The reader believes this number and takes that much memory.
  const claimed = zip.readUInt32LE(at + 22)
  if (claimed !== 0 && claimed !== size) throw new Error('not a zip')
  return size
}
