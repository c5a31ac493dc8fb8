import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/** The build stores compressed copies beside each file, with these suffixes. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const
const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  woff2: 'font/woff2',
  png: 'image/png',
  mp3: 'audio/mpeg',
  wasm: 'application/wasm',
}
type Asset = { body: Buffer; encoding?: string }

/**
 * Serves the app's code. The file names contain a content hash, so each file is read once and then sent from memory. A
 * screen has about a hundred small files, and looking each up on disk was most of the work of serving it.
 */
export function serveAssets(app: FastifyInstance, webDir: string): void {
  const cache = new Map<string, Asset>()
  const read = (name: string) =>
    readFile(join(webDir, 'assets', name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return undefined
    })

  async function find(name: string, accepted: string): Promise<Asset> {
    for (const [encoding, suffix] of encodings) {
      if (!accepted.includes(encoding)) continue
      const known = cache.get(name + suffix)
      const body = known ? undefined : await read(name + suffix)
      if (body) cache.set(name + suffix, { body, encoding })
      const asset = known ?? cache.get(name + suffix)
      if (asset) return asset
    }
    const body = cache.get(name)?.body ?? (await read(name))
    if (!body) throw new AppError('ERR_NOT_FOUND')
    const asset = { body }
    cache.set(name, asset)
    return asset
  }

  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { name } = request.params
    const type = types[/^[\w-]+\.(\w+)$/.exec(name)?.[1] ?? '']
    if (!type) throw new AppError('ERR_NOT_FOUND')
    const { body, encoding } = await find(name, `${request.headers['accept-encoding'] ?? ''}`)
    reply.type(type).header('Cache-Control', 'public, max-age=31536000, immutable').header('Vary', 'Accept-Encoding')
    if (encoding) reply.header('Content-Encoding', encoding)
    return reply.send(body)
  })
}
