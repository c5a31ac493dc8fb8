import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Upload } from '../src/kernel/files/files.ts'

const folder = join(import.meta.dirname, 'recordings')
type RecordingName = 'two-seconds.webm' | 'two-seconds.mp4' | 'two-seconds.mp3' | 'red.mp4'

/**
 * Small files made for these tests. The sounds are a tone that gets louder, as written by Chromium's recorder (opus) and
 * the composer's encoder (mp3); `red.mp4` is a video of one color without sound.
 */
export const readRecording = (name: RecordingName): Buffer => readFileSync(join(folder, name))

/** A recording as a stored upload. */
export const recordingAsUpload = (name: RecordingName): Upload => {
  const { length: size } = readRecording(name)
  return { path: join(folder, name), name, size, type: 'application/octet-stream', pages: null }
}

/** The waveform as phones draw it: quiet first. */
export const risingWaveform = Array.from({ length: 64 }, (_, i) => Math.round((100 * i) / 63))
