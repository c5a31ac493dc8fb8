import { expect, it } from 'vitest'
import { createMp3Encoder } from './mp3-encoder.ts'
import { mp3SampleRates } from './mp3-sample-rates.ts'

/** One second of a tone. */
const toneOf = (rate: number) => Float32Array.from({ length: rate }, (_, i) => Math.sin((i / rate) * 880 * Math.PI) / 2)

/** The bit rates of an MPEG-1 layer III frame, by the four bits of its header. */
const kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]

it.each(mp3SampleRates)('encodes a second at %i Hz as mono mp3 with 128 kbit/s', (rate) => {
  const encoder = createMp3Encoder(rate)
  const tone = toneOf(rate)
  for (let at = 0; at < tone.length; at += 4096) encoder.push(tone.slice(at, at + 4096))
  const bytes = new Uint8Array(Buffer.concat(encoder.finish()))
  expect([bytes[0], (bytes[1] ?? 0) >> 1]).toEqual([0xff, 0xfa >> 1])
  expect(kilobits[(bytes[2] ?? 0) >> 4]).toBe(128)
  expect((bytes[3] ?? 0) >> 6).toBe(3)
  expect(bytes.length).toBeGreaterThan(15_000)
  expect(bytes.length).toBeLessThan(18_500)
})
