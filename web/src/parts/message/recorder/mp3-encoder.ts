import { Mp3Encoder } from '@breezystack/lamejs'

/** The bit rate of 128 kbit/s (spec 9), for one channel because it is a voice. */
const bitrateKbps = 128

/** Encodes audio to mp3 in pieces, without keeping the raw samples. */
export function createMp3Encoder(rate: number) {
  const encoder = new Mp3Encoder(1, rate, bitrateKbps)
  const parts: Uint8Array<ArrayBuffer>[] = []
  const keep = (bytes: Uint8Array) => {
    if (bytes.length > 0) parts.push(new Uint8Array(bytes))
  }
  return {
    push: (samples: Float32Array) => keep(encoder.encodeBuffer(toInt16(samples))),
    /** The encoded parts can be played at any time: the encoder holds back only a twentieth of a second. */
    soFar: (): Uint8Array<ArrayBuffer>[] => parts,
    finish(): Uint8Array<ArrayBuffer>[] {
      keep(encoder.flush())
      return parts
    },
  }
}

function toInt16(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (sample) => Math.max(-1, Math.min(1, sample)) * 0x7fff)
}
