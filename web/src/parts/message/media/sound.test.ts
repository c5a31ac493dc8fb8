import { expect, it } from 'vitest'
import { clock, loudness, nextSpeed } from './sound.ts'

it('says how long', () => {
  expect([clock(0), clock(9.6), clock(83)]).toEqual(['0:00', '0:09', '1:23'])
})
it('goes round the speeds', () => {
  expect([nextSpeed(1), nextSpeed(1.5), nextSpeed(2), nextSpeed(7)]).toEqual([1.5, 2, 1, 1])
})
it('draws the loudest of each stretch against the loudest of all', () => {
  expect(loudness(Float32Array.from([0, 0.25, -0.5, 0.1, 0, 0]), 3)).toEqual([0.5, 1, 0])
  expect(loudness(new Float32Array(0), 2)).toEqual([0, 0])
})
