import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import '@recado/whatsapp/silence-libsignal'
import { WhatsApp } from '@recado/whatsapp/service'
import { encryptedStream, type WAMessage } from 'baileys'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { downloadMedia } from './download-media.ts'

let wa: WhatsApp
beforeAll(async () => {
  wa = await WhatsApp.start()
  wa.trust()
})
afterAll(() => wa.close())

const photo = randomBytes(300_001)
let key: { path: string; mediaKey: string; type: string; name: string; of: object }
beforeEach(async () => {
  key = { type: 'image', ...(await uploaded(photo, 'image')), name: 'foto.jpg', of: { id: 'M1' } }
})
/** Uploads a file to the file store, encrypted as a phone does it. */
async function uploaded(file: Buffer, type: 'image' | 'document') {
  const { encFilePath, mediaKey } = await encryptedStream(file, type)
  const path = wa.media.put(randomBytes(8).toString('hex'), await readFile(encFilePath))
  await rm(encFilePath)
  return { path, mediaKey: mediaKey.toString('base64') }
}
const unexpectedReupload = vi.fn(async (): Promise<WAMessage> => Promise.reject(new Error('nobody asks')))

it('downloads a file and decrypts it as a stream', async () => {
  const { stream, name } = await downloadMedia(key, unexpectedReupload)
  expect(name).toBe('foto.jpg')
  expect(photo.equals(await buffer(stream))).toBe(true)
  expect(unexpectedReupload).not.toHaveBeenCalled()
})

it('accepts an empty file', async () => {
  const empty = await uploaded(Buffer.alloc(0), 'document')
  const { stream } = await downloadMedia({ ...key, ...empty, type: 'document' }, unexpectedReupload)
  expect(await buffer(stream)).toHaveLength(0)
})

it('detects a modified file when it reaches the end', async () => {
  const blob = wa.media.blobs.get(key.path) as Buffer
  blob[1000] = (blob[1000] ?? 0) ^ 1
  await expect(downloadMedia(key, unexpectedReupload).then(({ stream }) => buffer(stream))).rejects.toThrow('changed')
})

it('asks the phone once to upload a file again that WhatsApp’s servers have deleted', async () => {
  wa.media.expireAll()
  const again = vi.fn(async (message: WAMessage): Promise<WAMessage> => {
    const { directPath } = message.message?.imageMessage ?? {}
    return { ...message, message: { imageMessage: { directPath: wa.media.restore(directPath ?? '') ?? null } } }
  })
  const { stream } = await downloadMedia(key, again)
  expect(photo.equals(await buffer(stream))).toBe(true)
  expect(again).toHaveBeenCalledWith(expect.objectContaining({ key: { id: 'M1' } }))
})

it('reports when the phone has lost the file too, and retries later if the phone does not answer', async () => {
  wa.media.expireAll()
  const lost = Object.assign(new Error('not found'), { output: { statusCode: 404 } })
  await expect(downloadMedia(key, () => Promise.reject(lost))).rejects.toMatchObject({ reason: 'media-gone' })
  await expect(downloadMedia(key, () => Promise.reject(new Error('timed out')))).rejects.toThrow('timed out')
  await expect(downloadMedia(key, async (message) => message)).rejects.toMatchObject({ reason: 'media-gone' })
})

it('retries after an error of WhatsApp’s servers', async () => {
  wa.media.failuresLeft = 1
  await expect(downloadMedia(key, unexpectedReupload)).rejects.toThrow('500')
  await expect(downloadMedia(key, unexpectedReupload)).resolves.toBeTruthy()
})

it.each(['//169.254.169.254/x', '@evil.example/x', '.evil.example/x', ''])(
  'calls no host other than WhatsApp’s: %s',
  async (path) => {
    await expect(downloadMedia({ ...key, path }, unexpectedReupload)).rejects.toMatchObject({ reason: 'media-gone' })
  },
)
