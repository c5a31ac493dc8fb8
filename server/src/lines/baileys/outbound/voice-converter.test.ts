import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRecording } from '../../../../test/recordings.ts'
import { makeVoiceConverter } from './voice-converter.ts'

/**
 * A replacement for ffmpeg: it writes a note, and two seconds of samples that grow louder, and refuses input that is
 * not audio.
 */
const standIn = `#!${process.execPath}
const { argv, stdin, stdout, exit } = process
if (argv.includes('-version')) exit(0)
const given = []
stdin.on('data', (data) => given.push(data)).on('end', () => {
  if (Buffer.concat(given).includes('no sound')) exit(1)
  require('node:fs').writeFileSync(argv[argv.indexOf('-y') + 1], 'OggS with OpusHead')
  stdout.end(Buffer.from(Int16Array.from({ length: 16000 }, (_, i) => (i % 2 ? i : -i))
    .buffer), () => exit(0))
})
`
let folder: string
const programs: Record<string, string> = {}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recado-voice-test-'))
  programs['a stand-in'] = join(folder, 'ffmpeg')
  programs.ffmpeg = 'ffmpeg'
  await writeFile(programs['a stand-in'], standIn)
  await chmod(programs['a stand-in'], 0o755)
})
afterAll(() => rm(folder, { recursive: true }))

/** If the real ffmpeg is installed, it is tested as well: it must give the same results. */
const isInstalled = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0
const converterNames = ['a stand-in', ...(isInstalled ? ['ffmpeg'] : [])]
const openContent = (content: string | Buffer) => async () => Readable.from([content])

describe.each(converterNames)('the voice converter with %s', (which) => {
  it.each(['two-seconds.mp3', 'two-seconds.webm', 'two-seconds.mp4'] as const)(
    'converts %s into a voice note',
    async (name) => {
      const spoken = await makeVoiceConverter(programs[which]).convert(openContent(readRecording(name)))
      expect(spoken?.seconds).toBe(2)
      const waveform = [...(spoken?.waveform ?? [])]
      expect(waveform).toHaveLength(64)
      for (const [quiet, loud] of [
        [0, 20],
        [20, 40],
        [40, 60],
      ] as const)
        expect(waveform[quiet]).toBeLessThan(waveform[loud] ?? 0)
      expect(Math.max(...waveform)).toBeGreaterThan(95)
      const note = spoken ? await buffer(spoken.stream) : Buffer.alloc(0)
      expect([note.subarray(0, 4).toString(), note.includes('OpusHead')]).toEqual(['OggS', true])
      expect((await readdir(tmpdir())).filter((one) => /^recado-voice-.*ogg$/.test(one))).toEqual([])
    },
  )

  it('returns null for a file that is no audio', async () => {
    expect(await makeVoiceConverter(programs[which]).convert(openContent('no sound at all'))).toBeNull()
  })
})

it('returns null without ffmpeg', async () => {
  const without = makeVoiceConverter(join(folder, 'nothing'))
  expect(await without.isAvailable()).toBe(false)
  expect(await without.convert(openContent('webm'))).toBeNull()
})
