import captureUrl from './capture-worklet.ts?worker&url'
import type { Order } from './encode-worker.ts'
import { rates } from './rates.ts'

export type Tape = {
  /** Ends it and hands over what was said, as an mp3. */
  finish: () => Promise<File>
  cancel: () => void
}

/** Listens to the microphone until told otherwise. Throws what the browser says when it may not. */
export async function startTape(onLevel: (level: number) => void): Promise<Tape> {
  const stream = await microphone()
  const context = soundOf()
  const encoder = new Worker(new URL('./encode-worker.ts', import.meta.url), { type: 'module' })
  const tell = (order: Order, moved: Transferable[] = []) => encoder.postMessage(order, moved)
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
  tell({ rate: context.sampleRate })
  const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0, channelCount: 1 })
  capture.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
    onLevel(loudness(data))
    tell({ samples: data }, [data.buffer])
  }
  context.createMediaStreamSource(stream).connect(capture)
  return {
    cancel() {
      silence()
      encoder.terminate()
    },
    async finish() {
      silence()
      const parts = await new Promise<BlobPart[]>((resolve) => {
        encoder.onmessage = ({ data }: MessageEvent<BlobPart[]>) => resolve(data)
        tell({ finish: true })
      })
      encoder.terminate()
      // By this name the server knows a voice message (wire, section 4.2).
      return new File(parts, `audio-record-site-${Date.now()}.mp3`, { type: 'audio/mpeg' })
    },
  }
}

function microphone(): Promise<MediaStream> {
  // Pages without TLS have no devices at all.
  if (!navigator.mediaDevices) throw new DOMException('no devices here', 'SecurityError')
  return navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, noiseSuppression: true } })
}

/** The device's own rate where mp3 has it: not every browser can listen at another one. */
function soundOf(): AudioContext {
  const context = new AudioContext()
  if (rates.includes(context.sampleRate)) return context
  void context.close()
  return new AudioContext({ sampleRate: 48_000 })
}

/** 0 to 1, as the ear has it: a whisper already moves the line. */
function loudness(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.min(1, Math.sqrt(Math.sqrt(sum / samples.length)))
}
