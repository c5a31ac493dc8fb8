import { voiceNoteBarCount } from '@recado/contract/messages'

/** The waveform of a voice note from the loudness of its parts: the loudest bar is 100. */
export function toWaveform(levels: number[]): number[] {
  const bars = Array.from({ length: voiceNoteBarCount }, (_, i) => {
    const from = Math.floor((i * levels.length) / voiceNoteBarCount)
    const part = levels.slice(from, Math.max(from + 1, Math.floor(((i + 1) * levels.length) / voiceNoteBarCount)))
    return part.reduce((sum, level) => sum + level, 0) / Math.max(1, part.length)
  })
  // The minimum avoids scaling up silence.
  const loudest = Math.max(...bars, 0.001)
  return bars.map((bar) => Math.round((100 * bar) / loudest))
}
