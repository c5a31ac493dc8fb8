// Globals of the audio thread, which TypeScript's DOM library lacks.
declare const registerProcessor: (name: string, processor: unknown) => void
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort
}

/** 85 ms at 48 kHz: few messages, and a meter that still follows the voice. */
const chunkSamples = 4096

class Capture extends AudioWorkletProcessor {
  private chunk = new Float32Array(chunkSamples)
  private filled = 0

  process([input]: Float32Array[][]): boolean {
    const samples = input?.[0]
    if (samples) this.take(samples)
    return true
  }

  private take(samples: Float32Array): void {
    this.chunk.set(samples, this.filled)
    this.filled += samples.length
    // The browser delivers 128 samples at a time, which divides the size.
    if (this.filled < chunkSamples) return
    this.port.postMessage(this.chunk, [this.chunk.buffer])
    this.chunk = new Float32Array(chunkSamples)
    this.filled = 0
  }
}
registerProcessor('capture', Capture)
