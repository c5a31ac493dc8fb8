/** A recording in its second shape: the same words as opus, for the customer's phone, and how loud they are on their way. */
export type Voice = { file: File; waveform: number[] }

const voices = new WeakMap<File, Voice>()

/** The two belong together: wherever the recording goes (tray, database, server), its voice goes with it. */
export function attachVoice(recording: File, voice: Voice | null): File {
  if (voice) voices.set(recording, voice)
  return recording
}

export const voiceOf = (recording: File): Voice | null => voices.get(recording) ?? null
