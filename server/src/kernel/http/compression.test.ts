import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { chooseEncoding, compressReplies } from './compression.ts'

it.each([
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP;q=0.5, br;q=0, zstd; q=0.000', 'gzip'],
  ['*', 'gzip'],
  ['identity', null],
  ['', null],
])('chooses the cheapest encoding for "%s": %s', (accepted, name) => {
  expect(chooseEncoding(accepted)).toBe(name)
})

it('compresses long texts, synchronously or off the event loop, and leaves other responses uncompressed', async () => {
  const app = fastify()
  compressReplies(app)
  const long = (length: number) => ({ text: 'hola, ¿qué tal? '.repeat(length) })
  app.get('/long', async () => long(200))
  app.get('/endless', async () => long(20_000))
  app.get('/short', async () => long(3))
  app.get('/picture', async (_request, reply) => reply.type('image/png').send('x'.repeat(5000)))
  const ask = (url: string, encoding: string) => app.inject({ url, headers: { 'accept-encoding': encoding } })
  const opened = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }
  for (const [name, open] of Object.entries(opened))
    for (const [url, length] of [
      ['/long', 200],
      ['/endless', 20_000],
    ] as const) {
      const answer = await ask(url, name)
      expect(answer.headers).toMatchObject({ 'content-encoding': name, vary: 'Accept-Encoding' })
      expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length))
      expect(JSON.parse(open(answer.rawPayload).toString())).toEqual(long(length))
    }
  for (const url of ['/short', '/picture']) expect((await ask(url, 'gzip')).headers['content-encoding']).toBeUndefined()
  expect((await ask('/long', '')).json()).toEqual(long(200))
  await app.close()
})
