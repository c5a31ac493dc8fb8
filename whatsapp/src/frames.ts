import { NOISE_WA_HEADER } from 'baileys'

/**
 * Splits the client's bytes into frames: a three-byte length, then the body. An intro comes first:
 * optionally `ED` 0 1 <length:3> <routing info>, and always the 4-byte header.
 */
export class FrameReader {
  #buffer: Buffer = Buffer.alloc(0)
  #introRead = false

  push(chunk: Uint8Array): Buffer[] {
    this.#buffer = this.#buffer.length ? Buffer.concat([this.#buffer, chunk]) : Buffer.from(chunk)
    if (!this.#introRead && !this.#readIntro()) return []
    const frames: Buffer[] = []
    while (this.#buffer.length >= 3) {
      const length = this.#buffer.readUIntBE(0, 3)
      if (this.#buffer.length < 3 + length) break
      frames.push(this.#buffer.subarray(3, 3 + length))
      this.#buffer = this.#buffer.subarray(3 + length)
    }
    return frames
  }

  #readIntro(): boolean {
    let offset = 0
    if (this.#buffer.length < 2) return false
    if (this.#buffer.toString('latin1', 0, 2) === 'ED') {
      if (this.#buffer.length < 7) return false
      offset = 7 + this.#buffer.readUIntBE(4, 3)
    }
    const end = offset + NOISE_WA_HEADER.length
    if (this.#buffer.length < end) return false
    if (!this.#buffer.subarray(offset, end).equals(NOISE_WA_HEADER)) throw new Error('no WhatsApp header')
    this.#buffer = this.#buffer.subarray(end)
    this.#introRead = true
    return true
  }
}

export function encodeFrame(body: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(3 + body.length)
  out.writeUIntBE(body.length, 0, 3)
  out.set(body, 3)
  return out
}
