import { attachVoice, type Voice } from '../../../lib/voices.ts'
import captureUrl from './capture-worklet.ts?worker&url'
import type { EncoderCommand } from './encode-worker.ts'
import { mp3SampleRates } from './mp3-sample-rates.ts'
import { toWaveform } from './waveform.ts'

/** The recording so far, which can be played before sending. */
export type RecordingSoFar = { sound: Blob; waveform: number[]; seconds: number }

export type Recording = {
  /** Pauses the recording until `resume`; returns the recording so far. */
  pause: () => Promise<RecordingSoFar>
  resume: () => void
  /** Ends the recording and returns it as mp3; with an opus version if the browser supports it. */
  finish: () => Promise<File>
  cancel: () => void
}

/** Starts recording the microphone. Throws the browser's error when recording is not allowed. */
export async function startRecording(onLevel: (level: number) => void): Promise<Recording> {
  const stream = await openMicrophone()
  const context = createAudioContext()
  const encoder = new Worker(new URL('./encode-worker.ts', import.meta.url), { type: 'module' })
  const postCommand = (order: EncoderCommand, moved: Transferable[] = []) => encoder.postMessage(order, moved)
  const requestFromEncoder = (order: EncoderCommand) =>
    new Promise<BlobPart[]>((resolve) => {
      encoder.addEventListener('message', ({ data }: MessageEvent<BlobPart[]>) => resolve(data), { once: true })
      postCommand(order)
    })
  const silence = () => {
    for (const track of stream.getTracks()) track.stop()
    void context.close()
  }
  try {
    await context.audioWorklet.addModule(captureUrl)
  } catch (error) {
    silence()
    encoder.terminate()
    throw error
  }
  postCommand({ rate: context.sampleRate })
  const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0, channelCount: 1 })
  const levels: number[] = []
  let samples = 0
  capture.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
    const level = measureLevel(data)
    levels.push(level)
    samples += data.length
    // The square root follows perceived loudness: a whisper already moves the meter.
    onLevel(Math.min(1, Math.sqrt(level)))
    postCommand({ samples: data }, [data.buffer])
  }
  context.createMediaStreamSource(stream).connect(capture)
  const opus = recordOpus(stream)
  return {
    async pause() {
      opus.pause()
      await context.suspend()
      const sound = new Blob(await requestFromEncoder({ soFar: true }), { type: 'audio/mpeg' })
      return { sound, waveform: toWaveform(levels), seconds: samples / context.sampleRate }
    },
    resume() {
      opus.resume()
      void context.resume()
    },
    cancel() {
      silence()
      encoder.terminate()
    },
    async finish() {
      const spoken = await opus.finish()
      silence()
      const parts = await requestFromEncoder({ finish: true })
      encoder.terminate()
      // The server recognizes a voice message by this name (wire, section 4.2).
      const recording = new File(parts, `audio-record-site-${Date.now()}.mp3`, { type: 'audio/mpeg' })
      const voice: Voice | null = spoken && { file: spoken, waveform: toWaveform(levels) }
      return attachVoice(recording, voice)
    },
  }
}

/** Chromium and Firefox support the first type, newer Safari versions the last. */
const opusMimeTypes = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4;codecs=opus']
/** Bits per second: twice the rate that phones use for a voice note. */
const opusBitrate = 32_000

type OpusRecording = { pause: () => void; resume: () => void; finish: () => Promise<File | null> }
const noop = () => undefined

/** Records the same sound as opus in parallel, for the customer's phone. Resolves with null if not supported. */
function recordOpus(stream: MediaStream): OpusRecording {
  const mimeType = opusMimeTypes.find((type) => globalThis.MediaRecorder?.isTypeSupported(type))
  if (!mimeType) return { pause: noop, resume: noop, finish: async () => null }
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: opusBitrate })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const ended = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve()
    recorder.onerror = () => resolve()
  })
  recorder.start()
  return {
    pause: () => recorder.state === 'recording' && recorder.pause(),
    resume: () => recorder.state === 'paused' && recorder.resume(),
    async finish() {
      if (recorder.state !== 'inactive') recorder.stop()
      await ended
      return parts.some(({ size }) => size > 0) ? new File(parts, 'voice', { type: mimeType }) : null
    },
  }
}

function openMicrophone(): Promise<MediaStream> {
  // Pages without TLS have no mediaDevices.
  if (!navigator.mediaDevices) throw new DOMException('no devices here', 'SecurityError')
  return navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, noiseSuppression: true } })
}

/** Uses the device's own sample rate if mp3 supports it: not every browser can record at another rate. */
function createAudioContext(): AudioContext {
  const context = new AudioContext()
  if (mp3SampleRates.includes(context.sampleRate)) return context
  void context.close()
  return new AudioContext({ sampleRate: 48_000 })
}

/** Measures the loudness, from 0 to 1. */
function measureLevel(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / samples.length)
}
