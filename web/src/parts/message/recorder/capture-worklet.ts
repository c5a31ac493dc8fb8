// Globals of the audio thread, which TypeScript's DOM library lacks.
declare const registerProcessor: (name: string, processor: unknown) => void
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort
}

/** Samples per message: 85 ms at 48 kHz, so there are few messages, and the meter still follows the voice. */
const chunkSamples = 4096

class Capture extends AudioWorkletProcessor {
  private chunk = new Float32Array(chunkSamples)
  private filledCount = 0

  process([input]: Float32Array[][]): boolean {
    const samples = input?.[0]
    if (samples) this.addSamples(samples)
    return true
  }

  private addSamples(samples: Float32Array): void {
    this.chunk.set(samples, this.filledCount)
    this.filledCount += samples.length
    // The browser delivers 128 samples at a time, and the chunk size is a multiple of 128.
    if (this.filledCount < chunkSamples) return
    this.port.postMessage(this.chunk, [this.chunk.buffer])
    this.chunk = new Float32Array(chunkSamples)
    this.filledCount = 0
  }
}
registerProcessor('capture', Capture)
