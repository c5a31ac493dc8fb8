import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRecording, recordingAsUpload } from '../../../test/recordings.ts'
import type { Upload } from './files.ts'
import { convertToVoiceNote, voiceNoteLimits } from './voice-note.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recado-note-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0
async function writeUpload(bytes: Uint8Array): Promise<Upload> {
  const path = join(folder, String(++files))
  await writeFile(path, bytes)
  return { path, name: 'voice', size: bytes.length, type: '', pages: null }
}
/** Counts the packets and samples of an Ogg file, from its pages. */
function packetsIn(file: Buffer): { samples: number; packets: number } {
  let [at, packets, samples] = [0, 0, 0]
  while (at < file.length) {
    expect(file.subarray(at, at + 4).toString()).toBe('OggS')
    const lengths = file.subarray(at + 27, at + 27 + (file[at + 26] ?? 0))
    samples = Number(file.readBigInt64LE(at + 6))
    packets += lengths.filter((length) => length < 255).length
    at += 27 + lengths.length + lengths.reduce((sum, length) => sum + length, 0)
  }
  return { samples, packets }
}

describe('conversion of a recording into a voice note', () => {
  it.each(['two-seconds.webm', 'two-seconds.mp4'] as const)('accepts %s', async (name) => {
    const { bytes, seconds } = await convertToVoiceNote(1, recordingAsUpload(name))
    const note = Buffer.from(bytes)
    expect(seconds).toBe(2)
    expect(note.indexOf('OpusHead')).toBe(28)
    // The first two packets are the header. Each other packet has 60 ms; the last may be shorter.
    const { packets, samples } = packetsIn(note)
    expect(packets - 2).toBe(Math.ceil(samples / 2880))
    expect(samples / 48_000).toBeCloseTo(1.96, 1)
    // A recording as an Ogg file, as Firefox makes it, gives the same result.
    const again = await convertToVoiceNote(1, await writeUpload(note))
    expect({ ...packetsIn(Buffer.from(again.bytes)), seconds: again.seconds }).toEqual({ packets, samples, seconds: 2 })
  })
})

describe('refused recordings', () => {
  const webm = readRecording('two-seconds.webm')
  it.each([
    ['words', Buffer.from('no sound at all')],
    ['nothing', Buffer.alloc(0)],
    ['another sound', readRecording('two-seconds.mp3')],
    ['a film without sound', readRecording('red.mp4')],
    ['only its beginning', webm.subarray(0, 150)],
  ])('refuses %s', async (_, bytes) => {
    await expect(convertToVoiceNote(1, await writeUpload(bytes))).rejects.toThrow('ERR_FILE_TYPE')
  })

  it('refuses a file above the size limit before reading it', async () => {
    const huge = { ...recordingAsUpload('two-seconds.webm'), size: voiceNoteLimits.size + 1 }
    await expect(convertToVoiceNote(1, huge)).rejects.toThrow('ERR_FILESIZE_OVER_LIMIT')
  })

  it('refuses a small file that expands to a large one', async () => {
    const file = bomb(100_000, 40)
    expect(file.length).toBeLessThan(101_000)
    await expect(
      convertToVoiceNote(1, await writeUpload(file), { ...voiceNoteLimits, size: 1_000_000 }),
    ).rejects.toMatchObject({
      code: 'ERR_FILESIZE_OVER_LIMIT',
      cause: { message: 'more comes out than went in' },
    })
    // The same file without the shared prefix is a valid recording.
    expect((await convertToVoiceNote(1, await writeUpload(bomb(0, 40)))).seconds).toBe(1)
  })

  it('refuses a file that never ends, without blocking other companies', async () => {
    // The reader of this file searches for the next element forever.
    const endless = await writeUpload(Buffer.concat([webm.subarray(0, 40), Buffer.alloc(100, 0xff)]))
    const alone = { ...voiceNoteLimits, maxQueued: 1 }
    const ends = expect(convertToVoiceNote(1, endless, { ...alone, timeoutMs: 1000 })).rejects.toThrow(
      'ERR_FILESIZE_OVER_LIMIT',
    )
    const second = convertToVoiceNote(1, recordingAsUpload('two-seconds.webm'))
    await expect(convertToVoiceNote(1, endless, alone)).rejects.toThrow('ERR_TOO_MANY_TRIES')
    expect((await convertToVoiceNote(2, recordingAsUpload('two-seconds.webm'), alone)).seconds).toBe(2)
    await ends
    expect((await second).seconds).toBe(2)
  })
})

/** A webm whose packets all declare the same prefix, which is stored once. */
function bomb(prefix: number, packets: number): Buffer {
  const element = (id: string, ...content: Uint8Array[]) => {
    const data = Buffer.concat(content)
    const length = Buffer.alloc(8)
    length.writeBigUInt64BE(BigInt(data.length) | (1n << 56n))
    return Buffer.concat([Buffer.from(id, 'hex'), length, data])
  }
  const number = (id: string, value: number) => element(id, Buffer.from([value]))
  const compression = element('5034', number('4254', 3), element('4255', Buffer.alloc(prefix, 0xfc)))
  const rate = Buffer.alloc(4)
  rate.writeFloatBE(48_000)
  const track = element(
    'ae',
    ...[number('d7', 1), number('73c5', 1), number('83', 2), element('86', Buffer.from('A_OPUS'))],
    element('63a2', Buffer.from('4f707573486561640101380180bb0000000000', 'hex')),
    element('e1', element('b5', rate), number('9f', 1)),
    ...(prefix ? [element('6d80', element('6240', compression))] : []),
  )
  const block = (_: unknown, i: number) =>
    element('a3', Buffer.from([0x81, (i * 20) >> 8, (i * 20) & 255, 0x80, 0xfc, 0xff, 0xfe]))
  const cluster = element('1f43b675', number('e7', 0), ...Array.from({ length: packets }, block))
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    element('18538067', element('1549a966'), element('1654ae6b', track), cluster),
  ])
}
