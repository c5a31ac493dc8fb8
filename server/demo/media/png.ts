import { crc32, deflateSync } from 'node:zlib'

export type Color = readonly [red: number, green: number, blue: number, opacity?: number]
/** An image of few colours: `paint` returns the palette index of a pixel. */
export type Drawing = { width: number; height: number; palette: Color[]; paint: (x: number, y: number) => number }

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}

/** An indexed PNG: with a palette even a landscape stays small. */
export function encodePng({ width, height, palette, paint }: Drawing): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits per pixel, with a palette.
  header.set([8, 3, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = paint(x, y)
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk('PLTE', Buffer.concat(palette.map(([red, green, blue]) => Buffer.from([red, green, blue])))),
    pngChunk('tRNS', Buffer.from(palette.map(([, , , opacity = 255]) => opacity))),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
