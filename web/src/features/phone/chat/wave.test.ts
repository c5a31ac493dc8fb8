import { expect, test } from 'vitest'
import { waveOf } from './wave.ts'

test('a wave says how long it is and keeps its samples within bounds', () => {
  const view = new DataView(waveOf(new Float32Array([0, 0.5, -1, 2]), 16_000))
  const text = (at: number) => String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)))
  expect([text(0), text(8), text(36)]).toEqual(['RIFF', 'WAVE', 'data'])
  expect(view.byteLength).toBe(52)
  expect([view.getUint32(4, true), view.getUint32(40, true), view.getUint32(24, true)]).toEqual([44, 8, 16_000])
  expect([0, 1, 2, 3].map((i) => view.getInt16(44 + i * 2, true))).toEqual([0, 16_383, -32_767, 32_767])
})
