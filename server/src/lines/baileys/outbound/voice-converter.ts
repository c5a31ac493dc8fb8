import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A voice note as phones record them, with its duration and waveform. */
export type VoiceNoteStream = { stream: Readable; seconds: number; waveform: Uint8Array }
export type VoiceConverter = {
  /** Converts a recording. Null: the note cannot be created, because ffmpeg is missing or the file is unsupported. */
  convert(open: () => Promise<Readable>): Promise<VoiceNoteStream | null>
  isAvailable(): Promise<boolean>
}

const sampleRateHz = 8000
const waveformBars = 64
/** Timeout of a conversion. */
const conversionTimeoutMs = 60_000

/** Creates voice notes if ffmpeg is installed, which is checked once. */
export function makeVoiceConverter(program = 'ffmpeg'): VoiceConverter {
  let availability: Promise<boolean> | undefined
  const isAvailable = () => {
    availability ??= canRun(program)
    return availability
  }
  return {
    isAvailable: isAvailable,
    convert: async (source) =>
      (await isAvailable()) ? convertToNote(program, await source()).catch(() => null) : null,
  }
}

async function canRun(program: string): Promise<boolean> {
  const child = spawn(program, ['-version'], { stdio: 'ignore' })
  const [code] = await once(child, 'exit').catch(() => [1])
  return code === 0
}

/** One pass of ffmpeg with two outputs: the note itself, and its samples, of which only the loudness is kept. */
async function convertToNote(program: string, source: Readable): Promise<VoiceNoteStream> {
  const path = join(tmpdir(), `recado-voice-${randomUUID()}.ogg`)
  const note = ['-map', '0:a:0', '-c:a', 'libopus', '-b:a', '32k', '-ar', '48000', '-ac', '1', '-f', 'ogg', '-y', path]
  const samples = ['-map', '0:a:0', '-f', 's16le', '-ar', String(sampleRateHz), '-ac', '1', 'pipe:1']
  try {
    const quiet = ['-hide_banner', '-loglevel', 'error', '-i', 'pipe:0', '-map_metadata', '-1']
    const child = spawn(program, [...quiet, ...note, ...samples], {
      stdio: ['pipe', 'pipe', 'ignore'],
      signal: AbortSignal.timeout(conversionTimeoutMs),
    })
    const ended = once(child, 'exit')
    const [measured, [code]] = await Promise.all([measureSamples(child.stdout), ended, feedInput(source, child.stdin)])
    if (code !== 0 || !measured.seconds) throw new Error('ffmpeg did not understand it')
    const file = await open(path)
    return { stream: file.createReadStream(), ...measured }
  } finally {
    // The file is deleted while it is open: it stays readable, and no file is left behind whatever happens next.
    await rm(path, { force: true })
  }
}

/** Feeds ffmpeg, which may stop reading before the end. */
const feedInput = (source: Readable, stdin: Writable): Promise<void> => pipeline(source, stdin).catch(() => {})

/** The duration, and the loudness of each fiftieth of a second. */
async function measureSamples(samples: Readable): Promise<Pick<VoiceNoteStream, 'seconds' | 'waveform'>> {
  const block = sampleRateHz / 50
  const loudness: number[] = []
  let [sum, count, total] = [0, 0, 0]
  let odd = Buffer.alloc(0)
  for await (const chunk of samples) {
    const data = Buffer.concat([odd, chunk as Buffer])
    const evenLength = data.length - (data.length % 2)
    odd = data.subarray(evenLength)
    for (let at = 0; at < evenLength; at += 2) {
      sum += Math.abs(data.readInt16LE(at))
      if (++count < block) continue
      loudness.push(sum / count)
      sum = 0
      count = 0
    }
    total += evenLength / 2
  }
  // The duration is rounded as phones do: an encoder pads the end, and three seconds must not become four.
  return { seconds: total && Math.max(1, Math.round(total / sampleRateHz)), waveform: toWaveform(loudness) }
}

/** Scales the loudness so that the maximum is 100. */
function toWaveform(loudness: number[]): Uint8Array {
  const loudest = Math.max(1, ...loudness)
  return Uint8Array.from({ length: waveformBars }, (_, i) => {
    const from = Math.floor((i * loudness.length) / waveformBars)
    const part = loudness.slice(from, Math.max(from + 1, Math.floor(((i + 1) * loudness.length) / waveformBars)))
    return part.length ? Math.round((100 * part.reduce((a, b) => a + b, 0)) / part.length / loudest) : 0
  })
}
