/** A second version of a recording: opus for the customer's phone, with its waveform. */
export type Voice = { file: File; waveform: number[] }

const voices = new WeakMap<File, Voice>()

/** Attaches the opus version to a recording: it goes wherever the recording goes (tray, database, server). */
export function attachVoice(recording: File, voice: Voice | null): File {
  if (voice) voices.set(recording, voice)
  return recording
}

export const voiceOf = (recording: File): Voice | null => voices.get(recording) ?? null
