import { execFileSync, spawnSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeVoice } from './voice.ts'

/** In the place of ffmpeg: writes what it is given where the note belongs, and two seconds that grow loud as samples. */
const standIn = `#!${process.execPath}
const { argv, stdin, stdout, exit } = process
if (argv.includes('-version')) exit(0)
let given = ''
stdin.on('data', (data) => (given += data)).on('end', () => {
  if (given === 'noise') exit(1)
  require('node:fs').writeFileSync(argv[argv.indexOf('-y') + 1], 'opus of ' + given)
  stdout.end(Buffer.from(Int16Array.from({ length: 16000 }, (_, i) => (i % 2 ? i : -i))
    .buffer), () => exit(0))
})
`
let folder: string
let program: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recado-voice-test-'))
  program = join(folder, 'ffmpeg')
  await writeFile(program, standIn)
  await chmod(program, 0o755)
})
afterAll(() => rm(folder, { recursive: true }))

const isInstalled = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0
const recorded = (words: string) => async () => Readable.from([words])

it('makes a voice note with its length and its mountains, and leaves nothing behind', async () => {
  const spoken = await makeVoice(program).spoken(recorded('webm'))
  expect(spoken).toMatchObject({ seconds: 2 })
  const waveform = [...(spoken?.waveform ?? [])]
  expect(waveform).toHaveLength(64)
  expect(waveform).toEqual([...waveform].sort((a, b) => a - b))
  expect(waveform[0]).toBeLessThan(5)
  expect(waveform.at(-1)).toBeGreaterThan(95)
  expect(spoken && (await text(spoken.stream))).toBe('opus of webm')
  expect((await readdir(tmpdir())).filter((name) => /^recado-voice-.*ogg$/.test(name))).toEqual([])
})

/** Three seconds that grow loud, as the composer hands them over: mp3 by name, whatever the browser recorded. */
function sung(folder: string, name: string, ...codec: string[]): string {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=3', '-af', "volume='t/3':eval=frame"]
  const path = join(folder, name)
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...tone, ...codec, path])
  return path
}

it.skipIf(!isInstalled).each([
  ['mp3', []],
  ['webm', ['-c:a', 'libopus']],
  ['mp4', ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov']],
])('with the real ffmpeg (skipped where there is none): %s', async (ending, codec) => {
  const path = sung(folder, `audio-record-site.${ending}`, ...codec)
  const spoken = await makeVoice().spoken(async () => createReadStream(path))
  expect(spoken?.seconds).toBe(3)
  const waveform = [...(spoken?.waveform ?? [])]
  expect(waveform).toHaveLength(64)
  for (const [quiet, loud] of [
    [0, 20],
    [20, 40],
    [40, 60],
  ] as const)
    expect(waveform[quiet]).toBeLessThan(waveform[loud] ?? 0)
  const note = spoken ? await buffer(spoken.stream) : Buffer.alloc(0)
  expect(note.subarray(0, 4).toString()).toBe('OggS')
  expect(note.includes('OpusHead')).toBe(true)
  expect(await makeVoice().spoken(recorded('no sound at all'))).toBeNull()
})

it('makes none of what is no sound, nor where there is no ffmpeg', async () => {
  expect(await makeVoice(program).spoken(recorded('noise'))).toBeNull()
  const without = makeVoice(join(folder, 'nothing'))
  expect(await without.isThere()).toBe(false)
  expect(await without.spoken(recorded('webm'))).toBeNull()
})
