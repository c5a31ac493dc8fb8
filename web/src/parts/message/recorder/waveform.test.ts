import { MessageWrite } from '@recado/contract/messages'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toWaveform } from './waveform.ts'

it('draws bars that grow with the loudness of the voice, up to 100 for the loudest', () => {
  const waveform = toWaveform(Array.from({ length: 640 }, (_, i) => i / 1000))
  expect(waveform).toEqual(waveform.toSorted((a, b) => a - b))
  expect([waveform[0], waveform.at(-1)]).toEqual([1, 100])
  expect(toWaveform([0.2, 0.4])).toEqual([...Array(32).fill(50), ...Array(32).fill(100)])
})

it('produces a waveform that the server accepts, also for very short or quiet recordings', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 300 }), (levels) => {
      const waveform = toWaveform(levels)
      expect(MessageWrite.parse({ body: '', waveform: JSON.stringify(waveform) }).waveform).toEqual(waveform)
    }),
  )
})
