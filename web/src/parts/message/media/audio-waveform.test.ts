import { expect, it } from 'vitest'
import { computePeaks, formatSeconds, nextPlaybackSpeed } from './audio-waveform.ts'

it('formats a duration as minutes and seconds', () => {
  expect([formatSeconds(0), formatSeconds(9.6), formatSeconds(83)]).toEqual(['0:00', '0:09', '1:23'])
})
it('cycles through the playback speeds', () => {
  expect([nextPlaybackSpeed(1), nextPlaybackSpeed(1.5), nextPlaybackSpeed(2), nextPlaybackSpeed(7)]).toEqual([
    1.5, 2, 1, 1,
  ])
})
it('draws the peak of each section relative to the overall peak', () => {
  expect(computePeaks(Float32Array.from([0, 0.25, -0.5, 0.1, 0, 0]), 3)).toEqual([0.5, 1, 0])
  expect(computePeaks(new Float32Array(0), 2)).toEqual([0, 0])
})
