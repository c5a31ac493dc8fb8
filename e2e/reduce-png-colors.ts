import { crc32, deflateSync, inflateSync } from 'node:zlib'

type Picture = { width: number; height: number; channels: number; points: Buffer }

/** Maximum distance of a colour from its palette entry, summed over red, green and blue. */
const toleranceSteps = [0, 6, 9, 12, 16, 20, 26, 32, 40, 52, 68, 90, 128]
const maxColors = 256
/** Colours of large surfaces stay exact: a wrong shade is visible there, but not on letters. */
const exactColors = 170

/** Reduces a picture to at most 256 similar colours: a third of the bytes without a visible difference. */
export function reducePngColors(png: Buffer): Buffer {
  const { width, height, channels, points } = decodePng(png)
  const colourAt = (i: number) => points.readUIntBE(i * channels, 3)
  const counts = new Map<number, number>()
  for (let i = 0; i < width * height; i++) counts.set(colourAt(i), (counts.get(colourAt(i)) ?? 0) + 1)
  const { palette, index } = buildPalette(counts)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = index.get(colourAt(y * width + x)) as number
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.alloc(palette.length * 3)
  for (const [i, colour] of palette.entries()) colours.writeUIntBE(colour, i * 3, 3)
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const colorDistance = (a: number, b: number) =>
  Math.abs((a >> 16) - (b >> 16)) + Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)) + Math.abs((a & 255) - (b & 255))

/** Takes the most common colours first; a colour close to a palette entry is mapped to it. */
function buildPalette(counts: Map<number, number>): { palette: number[]; index: Map<number, number> } {
  const common = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour)
  for (const step of toleranceSteps) {
    const palette = common.slice(0, exactColors)
    for (const colour of common.slice(exactColors)) {
      if (palette.some((one) => colorDistance(one, colour) <= step)) continue
      palette.push(colour)
      if (palette.length > maxColors) break
    }
    if (palette.length <= maxColors)
      return { palette, index: new Map(common.map((c) => [c, findNearestColor(palette, c)])) }
  }
  throw new Error('256 colours are not enough for this picture')
}

const findNearestColor = (palette: number[], colour: number): number => {
  const distances = palette.map((one) => colorDistance(one, colour))
  return distances.indexOf(Math.min(...distances))
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** The PNG filter's prediction for a pixel: left, above, average, or Paeth. */
function predictByte(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** Eight bits per channel without interlacing: the only format browsers write. */
function decodePng(png: Buffer): Picture {
  const [width, height, kind] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]]
  const channels = kind === 6 ? 4 : 3
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const packed = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  const points = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = packed[y * (stride + 1)] as number
    const here = y * stride
    for (let i = 0; i < stride; i++) {
      const left = i < channels ? 0 : (points[here + i - channels] as number)
      const up = y ? (points[here + i - stride] as number) : 0
      const corner = y && i >= channels ? (points[here + i - stride - channels] as number) : 0
      points[here + i] = (packed[y * (stride + 1) + 1 + i] as number) + predictByte(filter, left, up, corner)
    }
  }
  return { width, height, channels, points }
}
