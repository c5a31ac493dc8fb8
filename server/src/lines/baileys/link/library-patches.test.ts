import { AsyncLocalStorage } from 'node:async_hooks'
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { Curve, encryptedStream } from 'baileys'
import { expect, it, vi } from 'vitest'
import { patchLibrary } from './library-patches.ts'

type Libsignal = {
  SessionRecord: new () => { closeSession(session: object): void }
  SessionCipher: new (storage: object, address: object) => { queueJob<T>(job: () => Promise<T>): Promise<T> }
  ProtocolAddress: new (name: string, device: number) => object
}
const { SessionRecord, SessionCipher, ProtocolAddress } = createRequire(import.meta.resolve('baileys'))(
  'libsignal',
) as Libsignal

it('keeps session records with private keys off the console, and prints all other messages', async () => {
  const said: unknown[][] = []
  for (const level of ['info', 'warn', 'error', 'log'] as const)
    vi.spyOn(console, level).mockImplementation((...words) => void said.push(words))
  const close = () => new SessionRecord().closeSession({ indexInfo: { closed: -1 }, privKey: 'secret' })
  close()
  expect(JSON.stringify(said)).toContain('secret')
  said.length = 0
  // The console may have been patched earlier in this process: patch it again, around the console of this test.
  vi.resetModules()
  ;(await import('./library-patches.ts')).patchLibrary()
  close()
  console.error('Session error: Bad MAC', 'stack')
  console.warn('something else')
  expect(said).toEqual([['something else']])
  vi.restoreAllMocks()
})

it('distinguishes a valid signature from any other 64 bytes', () => {
  patchLibrary()
  const { public: key, private: secret } = Curve.generateKeyPair()
  const words = Buffer.from('who I am')
  const signature = Curve.sign(secret, words)
  expect(Curve.verify(key, words, signature)).toBe(true)
  expect(Curve.verify(key, Buffer.from('who I was'), signature)).toBe(false)
  expect(Curve.verify(key, words, Buffer.alloc(64))).toBe(false)
})

it('keeps the async context of each queued job for one recipient address', async () => {
  patchLibrary()
  const names = new AsyncLocalStorage<string>()
  const cipher = new SessionCipher({}, new ProtocolAddress('alice', 0))
  const job = (name: string) => names.run(name, () => cipher.queueJob(async () => names.getStore()))
  expect(await Promise.all([job('one'), job('two'), job('three')])).toEqual(['one', 'two', 'three'])
})

it('fails to encrypt a file that cannot be written to the disk, and does not end the process', async () => {
  patchLibrary()
  const missing = '/no-such-folder'
  vi.stubEnv('TMPDIR', missing)
  // The disk refuses while the next part of the file is being read, and nobody waits for the disk.
  async function* readSlowly() {
    yield Buffer.from('first')
    for (let n = 0; n < 5; n++) await expect(open(`${missing}/file`)).rejects.toThrow()
    yield Buffer.from('second')
  }
  try {
    const media = { stream: Readable.from(readSlowly()) }
    await expect(encryptedStream(media, 'image')).rejects.toMatchObject({ code: 'ENOENT' })
  } finally {
    vi.unstubAllEnvs()
  }
})
