/** Formats seconds such as 0:09. */
export const formatSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

export const playbackSpeeds = [1, 1.5, 2] as const
export const nextPlaybackSpeed = (speed: number): number =>
  playbackSpeeds[(playbackSpeeds.indexOf(speed as (typeof playbackSpeeds)[number]) + 1) % playbackSpeeds.length] ?? 1

export const waveformBarCount = 46

/** The loudness over time, from 0 to 1: the peak of each section relative to the overall peak. */
export function computePeaks(samples: Float32Array, count: number): number[] {
  const stretch = Math.max(1, Math.floor(samples.length / count))
  // A subset of the samples gives the same picture in a tenth of the time.
  const step = Math.max(1, Math.floor(stretch / 400))
  const peaks = Array.from({ length: count }, (_, i) => {
    let peak = 0
    const end = Math.min(samples.length, (i + 1) * stretch)
    for (let at = i * stretch; at < end; at += step) peak = Math.max(peak, Math.abs(samples[at] ?? 0))
    return peak
  })
  const loudest = Math.max(...peaks, 0.01)
  return peaks.map((peak) => peak / loudest)
}

/** Larger files are played without a waveform. */
const maxWaveformFileBytes = 8_000_000
type Waveform = { peaks: number[]; seconds: number }
const loadedWaveforms = new Map<string, Promise<Waveform | null>>()

/** The waveform of an audio file, computed once; null when the browser cannot decode it. */
export function loadWaveform(id: string, src: string): Promise<Waveform | null> {
  const shape = loadedWaveforms.get(id) ?? readWaveform(src).catch(() => null)
  loadedWaveforms.set(id, shape)
  return shape
}

async function readWaveform(src: string): Promise<Waveform | null> {
  const response = await fetch(src)
  if (!response.ok || Number(response.headers.get('content-length') ?? 0) > maxWaveformFileBytes) return null
  // A sample rate of 8 kHz is enough to draw a voice, and needs a sixth of the memory.
  const context = new OfflineAudioContext(1, 1, 8000)
  const sound = await context.decodeAudioData(await response.arrayBuffer())
  return { peaks: computePeaks(sound.getChannelData(0), waveformBarCount), seconds: sound.duration }
}
