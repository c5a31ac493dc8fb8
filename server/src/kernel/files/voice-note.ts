import { AppError } from '../errors.ts'
import { makeReader } from './apart.ts'
import type { Upload } from './files.ts'
import type { VoiceTask } from './voice-note-worker.ts'

/** An Ogg Opus file, as phones record them. */
export type VoiceNote = { bytes: Uint8Array; seconds: number }

/** Meta takes sounds up to 16 MB, which is an hour and more of a voice. */
export const voiceLimits = { size: 16 * 1024 * 1024, ms: 15_000, heapMb: 128, waiting: 8 }
/** An hour (12 MB) takes 2.3 s of a core, a minute 0.2 s; but a machine may have ten other things to do. */
const patience = ({ size }: Upload): number => size / 1000

const rewrap = makeReader<VoiceTask, VoiceNote>(new URL('./voice-note-worker.ts', import.meta.url))

/** Out of what a browser recorded (opus in webm, mp4 or ogg) a voice note: the sound stays as it is, only its wrapping changes. */
export async function voiceNoteOf(companyId: number, upload: Upload, limits = voiceLimits): Promise<VoiceNote> {
  if (upload.size > limits.size) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  return rewrap({ path: upload.path, bytes: limits.size }, { ...limits, ms: limits.ms + patience(upload) }, companyId)
}
