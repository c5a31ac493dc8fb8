import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type * as Mediabunny from 'mediabunny'

/** Runs in a worker thread (see voice-note.ts). `bytes`: the maximum output size. */
export type VoiceNoteTask = { path: string; bytes: number }

// The bundle loads in a third of the time of its many modules, and each voice note loads it again.
const { BufferSource, BufferTarget, EncodedAudioPacketSource, EncodedPacketSink, ...bunny }: typeof Mediabunny =
  createRequire(import.meta.url)('mediabunny')
const { Input, Output, OggOutputFormat, WEBM, MP4, OGG } = bunny

const task = workerData as VoiceNoteTask
const input = new Input({ source: new BufferSource(readFileSync(task.path)), formats: [WEBM, MP4, OGG] })
const track = await input.getPrimaryAudioTrack()
if (track?.codec !== 'opus') throw new Error('no opus in it')
const bytes = await rewrapAsOgg(track)
parentPort?.postMessage({ bytes, seconds: secondsOf(bytes) })

async function rewrapAsOgg(track: Mediabunny.InputAudioTrack): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: new OggOutputFormat(), target })
  const source = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(source)
  await output.start()
  const decoderConfig = await track.getDecoderConfig()
  let size = 0
  for await (const packet of new EncodedPacketSink(track).packets()) {
    // A small file can expand to a large one: it can declare a shared prefix of a megabyte for each packet.
    size += packet.byteLength
    if (size > task.bytes) throw new RangeError('more comes out than went in')
    await source.add(packet, decoderConfig ? { decoderConfig } : undefined)
  }
  if (!size) throw new Error('nothing was said')
  await output.finalize()
  return new Uint8Array(target.buffer as ArrayBuffer)
}

/**
 * The duration in seconds: the last page holds the number of samples, at 48,000 a second. Phones report one second for
 * anything shorter.
 */
function secondsOf(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer)
  return Math.max(1, Math.round(Number(file.readBigInt64LE(file.lastIndexOf('OggS') + 6)) / 48_000))
}
