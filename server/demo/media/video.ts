import { encodeFrame, encodeParameterSets } from './h264.ts'
import { drawLakeAt } from './pictures.ts'
import type { Drawing } from './png.ts'

const [width, height, perSecond, seconds] = [192, 128, 8, 2]

type BytePart = Buffer | number[] | string
const concatParts = (parts: BytePart[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
const u32 = (...values: number[]) => values.flatMap((v) => [v >>> 24, (v >>> 16) & 255, (v >>> 8) & 255, v & 255])
const u16 = (...values: number[]) => values.flatMap((v) => [v >> 8, v & 255])
function mp4Box(name: string, ...parts: BytePart[]): Buffer {
  const inside = concatParts(parts)
  return concatParts([u32(inside.length + 8), name, inside])
}
const identityMatrix = [u32(0x10000), u32(0, 0, 0), u32(0x10000), u32(0, 0, 0), u32(0x40000000)].flat()

/** A two-second MP4 of the drawn lake, which every player opens. */
export function makeVideo(seed: number): Buffer {
  const frames = Array.from({ length: perSecond * seconds }, (_, i) => {
    const picture = encodeFrame(scaleDown(drawLakeAt(seed, i / perSecond)), i % 2 === 1)
    return concatParts([u32(picture.length), picture])
  })
  const start = mp4Box('ftyp', 'isom', u32(512), 'isomiso2avc1mp41')
  const index = (at: number) => mp4Box('moov', movieHeader(), videoTrack(frames, at))
  const at = start.length + index(0).length + 8
  return concatParts([start, index(at), mp4Box('mdat', ...frames)])
}

const scaleDown = ({ paint, palette, ...of }: Drawing): Drawing => ({
  width,
  height,
  palette,
  paint: (x, y) => paint(Math.floor((x * of.width) / width), Math.floor((y * of.height) / height)),
})

const movieHeader = () =>
  mp4Box(
    'mvhd',
    u32(0, 0, 0, 1000, seconds * 1000, 0x10000),
    u16(0x100),
    u16(0),
    u32(0, 0),
    identityMatrix,
    u32(0, 0, 0, 0, 0, 0, 2),
  )

function videoTrack(frames: Buffer[], at: number): Buffer {
  const place = [
    ...u32(7, 0, 0, 1, 0, seconds * 1000, 0, 0),
    ...u16(0, 0, 0, 0),
    ...identityMatrix,
    ...u32(width << 16, height << 16),
  ]
  const handler = mp4Box('hdlr', u32(0, 0), 'vide', u32(0, 0, 0), 'lake\0')
  const data = mp4Box('dinf', mp4Box('dref', u32(0, 1), mp4Box('url ', u32(1))))
  const minf = mp4Box('minf', mp4Box('vmhd', u32(1, 0, 0)), data, sampleTable(frames, at))
  const media = mp4Box('mdia', mp4Box('mdhd', u32(0, 0, 0, perSecond, frames.length), u16(0x55c4, 0)), handler, minf)
  return mp4Box('trak', mp4Box('tkhd', place), media)
}

/** The position and duration of each frame. */
function sampleTable(frames: Buffer[], at: number): Buffer {
  const { sps, pps } = encodeParameterSets(width / 16, height / 16)
  const sets = [[1, ...sps.subarray(1, 4), 0xff, 0xe1], u16(sps.length), sps, [1], u16(pps.length), pps]
  const kind = mp4Box(
    'avc1',
    [0, 0, 0, 0, 0, 0, ...u16(1)],
    u32(0, 0, 0, 0),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    mp4Box('avcC', ...sets),
  )
  return mp4Box(
    'stbl',
    mp4Box('stsd', u32(0, 1), kind),
    mp4Box('stts', u32(0, 1, frames.length, 1)),
    mp4Box('stsc', u32(0, 1, 1, frames.length, 1)),
    mp4Box('stsz', u32(0, 0, frames.length, ...frames.map((f) => f.length))),
    mp4Box('stco', u32(0, 1, at)),
  )
}
