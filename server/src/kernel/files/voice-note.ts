import { AppError } from '../errors.ts'
import type { Upload } from './files.ts'
import { makeWorkerQueue } from './in-worker.ts'
import type { VoiceNoteTask } from './voice-note-worker.ts'

/** An Ogg Opus file, as phones record them. */
export type VoiceNote = { bytes: Uint8Array; seconds: number }

/** Meta accepts audio up to 16 MB, which is more than an hour of voice. */
export const voiceNoteLimits = { size: 16 * 1024 * 1024, timeoutMs: 15_000, heapMb: 128, maxQueued: 8 }
/**
 * The timeout grows with the size: an hour (12 MB) takes 2.3 s of a core, a minute 0.2 s, and the machine may be busy.
 */
const extraTimeoutMs = ({ size }: Upload): number => size / 1000

const rewrapInWorker = makeWorkerQueue<VoiceNoteTask, VoiceNote>(new URL('./voice-note-worker.ts', import.meta.url))

/** Converts a browser recording (opus in webm, mp4 or ogg) into a voice note: only the container changes. */
export async function convertToVoiceNote(
  companyId: number,
  upload: Upload,
  limits = voiceNoteLimits,
): Promise<VoiceNote> {
  if (upload.size > limits.size) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  return rewrapInWorker(
    { path: upload.path, bytes: limits.size },
    { ...limits, timeoutMs: limits.timeoutMs + extraTimeoutMs(upload) },
    companyId,
  )
}
