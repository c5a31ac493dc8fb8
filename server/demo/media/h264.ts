import type { Drawing } from './png.ts'

/** Writes single bits, as H.264 headers need. */
function makeBitWriter() {
  let bits = ''
  return {
    put: (value: number, width: number) => {
      bits += value.toString(2).padStart(width, '0')
    },
    /** Exp-Golomb code: as many zeros as the number has binary digits, minus one, and then the number. */
    code: (...values: number[]) => {
      for (const value of values) {
        const word = (value + 1).toString(2)
        bits += '0'.repeat(word.length - 1) + word
      }
    },
    /** The written bits, padded with zeros to whole bytes. */
    bytes: () => Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))),
  }
}

/** Inserts a 3 after two zero bytes where the bytes would look like a start code. */
function makeNalUnit(head: number, body: Buffer): Buffer {
  const out = [head]
  let zeros = 0
  for (const byte of body) {
    if (zeros >= 2 && byte <= 3) {
      out.push(3)
      zeros = 0
    }
    out.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Buffer.from(out)
}

/** Baseline profile, intra frames only, with this many blocks of 16 by 16. */
export function encodeParameterSets(across: number, down: number): { sps: Buffer; pps: Buffer } {
  const sps = makeBitWriter()
  for (const byte of [66, 0xc0, 30]) sps.put(byte, 8)
  sps.code(0, 0, 2, 0)
  sps.put(0, 1)
  sps.code(across - 1, down - 1)
  // Whole frames, no cropping, no VUI; a 1 ends the parameter set.
  sps.put(0b10001, 5)
  const pps = makeBitWriter()
  pps.code(0, 0)
  pps.put(0, 2)
  pps.code(0, 0, 0)
  pps.put(0, 3)
  pps.code(0, 0, 0)
  pps.put(0b0001, 4)
  return { sps: makeNalUnit(0x67, sps.bytes()), pps: makeNalUnit(0x68, pps.bytes()) }
}

type YuvPlanes = { width: number; luma: Buffer; blue: Buffer; red: Buffer }

/** Luma for every pixel, chroma for every fourth pixel. */
function toPlanes({ width, height, palette, paint }: Drawing): YuvPlanes {
  const luma = Buffer.alloc(width * height)
  const blue = Buffer.alloc((width * height) / 4)
  const red = Buffer.alloc((width * height) / 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [r, g, b] = palette[paint(x, y)] ?? [0, 0, 0]
      luma[y * width + x] = 16 + (65.7 * r + 129.1 * g + 25.1 * b) / 256
      if (x % 2 || y % 2) continue
      const at = (y / 2) * (width / 2) + x / 2
      blue[at] = 128 + (-37.9 * r - 74.5 * g + 112.4 * b) / 256
      red[at] = 128 + (112.4 * r - 94.2 * g - 18.3 * b) / 256
    }
  return { width, luma, blue, red }
}

const cutBlock = (plane: Buffer, width: number, left: number, top: number, size: number) =>
  Buffer.concat(
    Array.from({ length: size }, (_, y) => plane.subarray((top + y) * width + left, (top + y) * width + left + size)),
  )

/** One frame with raw pixels (I_PCM): the simplest encoder, and every player must support it. */
export function encodeFrame(drawing: Drawing, odd: boolean): Buffer {
  const { width, luma, blue, red } = toPlanes(drawing)
  const head = makeBitWriter()
  head.code(0, 7, 0)
  head.put(0, 4)
  head.code(odd ? 1 : 0)
  head.put(0, 2)
  head.code(0, 25)
  // The header ends with the type of the first block; the type of each other block takes whole bytes.
  const parts = [head.bytes()]
  for (let top = 0; top < drawing.height; top += 16)
    for (let left = 0; left < width; left += 16) {
      if (top || left) parts.push(Buffer.from([0x0d, 0x00]))
      parts.push(cutBlock(luma, width, left, top, 16))
      for (const plane of [blue, red]) parts.push(cutBlock(plane, width / 2, left / 2, top / 2, 8))
    }
  return makeNalUnit(0x65, Buffer.concat([...parts, Buffer.from([0x80])]))
}
