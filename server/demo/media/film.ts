import { frame, parameterSets } from './h264.ts'
import { lakeAt } from './pictures.ts'
import type { Drawing } from './png.ts'

const [width, height, perSecond, seconds] = [192, 128, 8, 2]

type Part = Buffer | number[] | string
const join = (parts: Part[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
const u32 = (...values: number[]) => values.flatMap((v) => [v >>> 24, (v >>> 16) & 255, (v >>> 8) & 255, v & 255])
const u16 = (...values: number[]) => values.flatMap((v) => [v >> 8, v & 255])
function box(name: string, ...parts: Part[]): Buffer {
  const inside = join(parts)
  return join([u32(inside.length + 8), name, inside])
}
const still = [u32(0x10000), u32(0, 0, 0), u32(0x10000), u32(0, 0, 0), u32(0x40000000)].flat()

/** Two seconds of the lake, as an MP4 that every player opens. */
export function film(seed: number): Buffer {
  const frames = Array.from({ length: perSecond * seconds }, (_, i) => {
    const picture = frame(small(lakeAt(seed, i / perSecond)), i % 2 === 1)
    return join([u32(picture.length), picture])
  })
  const start = box('ftyp', 'isom', u32(512), 'isomiso2avc1mp41')
  const index = (at: number) => box('moov', header(), track(frames, at))
  const at = start.length + index(0).length + 8
  return join([start, index(at), box('mdat', ...frames)])
}

const small = ({ paint, palette, ...of }: Drawing): Drawing => ({
  width,
  height,
  palette,
  paint: (x, y) => paint(Math.floor((x * of.width) / width), Math.floor((y * of.height) / height)),
})

const header = () =>
  box(
    'mvhd',
    u32(0, 0, 0, 1000, seconds * 1000, 0x10000),
    u16(0x100),
    u16(0),
    u32(0, 0),
    still,
    u32(0, 0, 0, 0, 0, 0, 2),
  )

function track(frames: Buffer[], at: number): Buffer {
  const place = [
    ...u32(7, 0, 0, 1, 0, seconds * 1000, 0, 0),
    ...u16(0, 0, 0, 0),
    ...still,
    ...u32(width << 16, height << 16),
  ]
  const handler = box('hdlr', u32(0, 0), 'vide', u32(0, 0, 0), 'lake\0')
  const data = box('dinf', box('dref', u32(0, 1), box('url ', u32(1))))
  const minf = box('minf', box('vmhd', u32(1, 0, 0)), data, table(frames, at))
  const media = box('mdia', box('mdhd', u32(0, 0, 0, perSecond, frames.length), u16(0x55c4, 0)), handler, minf)
  return box('trak', box('tkhd', place), media)
}

/** Where each picture lies and how long it is shown. */
function table(frames: Buffer[], at: number): Buffer {
  const { sps, pps } = parameterSets(width / 16, height / 16)
  const sets = [[1, ...sps.subarray(1, 4), 0xff, 0xe1], u16(sps.length), sps, [1], u16(pps.length), pps]
  const kind = box(
    'avc1',
    [0, 0, 0, 0, 0, 0, ...u16(1)],
    u32(0, 0, 0, 0),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    box('avcC', ...sets),
  )
  return box(
    'stbl',
    box('stsd', u32(0, 1), kind),
    box('stts', u32(0, 1, frames.length, 1)),
    box('stsc', u32(0, 1, 1, frames.length, 1)),
    box('stsz', u32(0, 0, frames.length, ...frames.map((f) => f.length))),
    box('stco', u32(0, 1, at)),
  )
}
