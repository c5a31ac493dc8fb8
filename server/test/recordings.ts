import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Upload } from '../src/kernel/files/files.ts'

const folder = join(import.meta.dirname, 'recordings')
type RecordingName = 'two-seconds.webm' | 'two-seconds.mp4' | 'two-seconds.mp3' | 'red.mp4'

/**
 * Small files of our own. The sounds are a tone that grows loud, as Chromium's recorder (opus) and the composer's
 * encoder (mp3) write them; `red.mp4` is a film of a colour without sound.
 */
export const readRecording = (name: RecordingName): Buffer => readFileSync(join(folder, name))

/** The same as it lies on the disk after an upload. */
export const recordingAsUpload = (name: RecordingName): Upload => {
  const { length: size } = readRecording(name)
  return { path: join(folder, name), name, size, type: 'application/octet-stream', pages: null }
}

/** As phones draw it: quiet first. */
export const risingWaveform = Array.from({ length: 64 }, (_, i) => Math.round((100 * i) / 63))
