import { makeStoryRandom } from '../random.ts'

const sampleRate = 8000

/** A voice note without words: hummed syllables with pauses. WAV, eight bits, one channel. */
export function makeVoiceNote(seconds: number, seed: number): Buffer {
  const random = makeStoryRandom(seed)
  const samples = Buffer.alloc(seconds * sampleRate, 128)
  let at = sampleRate * 0.2
  while (at < samples.length - sampleRate * 0.4) {
    const length = sampleRate * random.between(0.09, 0.24)
    const pitch = random.between(110, 190)
    const strength = random.between(28, 78)
    for (let i = 0; i < length; i++) {
      const turn = (2 * Math.PI * pitch * i) / sampleRate
      const tone = Math.sin(turn) + Math.sin(turn * 2.1) / 2 + Math.sin(turn * 5.3) / 5
      samples[Math.floor(at + i)] = 128 + Math.round((tone / 1.7) * strength * Math.sin((Math.PI * i) / length))
    }
    at += length + sampleRate * (random.withProbability(0.22) ? random.between(0.15, 0.4) : 0.02)
  }
  return Buffer.concat([wavHeader(samples.length), samples])
}

function wavHeader(size: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + size, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(sampleRate, 24)
  head.writeUInt32LE(sampleRate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(size, 40)
  return head
}
