import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Shorter responses are sent as they are: compressing would take longer than sending. */
const minBytesToCompress = 1024
/** Longer responses are compressed off the event loop, which they would block. */
const maxSyncBytes = 128 * 1024

type Compressor = { compressSync(text: string | Buffer): Buffer; compress(text: string | Buffer): Promise<Buffer> }

/**
 * A response is created and read once, so it is compressed at the cheapest level: a page of tickets takes a tenth of a
 * millisecond and shrinks to a twentieth of its size. The app's files are sent for months, so the build compresses them.
 */
const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const deflate = { level: 2 }
const compressors: Record<string, Compressor> = {
  zstd: {
    compressSync: (text) => zstdCompressSync(text, zstd),
    compress: (text) => promisify(zstdCompress)(text, zstd),
  },
  br: {
    compressSync: (text) => brotliCompressSync(text, brotli),
    compress: (text) => promisify(brotliCompress)(text, brotli),
  },
  gzip: { compressSync: (text) => gzipSync(text, deflate), compress: (text) => promisify(gzip)(text, deflate) },
}
const encodingNames = Object.keys(compressors)

const encodingByHeader = new Map<string, string | null>()
/** The cheapest encoding a client supports; null: none. Cached, because browsers send one of a few values. */
export function chooseEncoding(accepted: string): string | null {
  const before = encodingByHeader.get(accepted)
  if (before !== undefined) return before
  const wanted = new Set<string>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...terms] = part.split(';').map((word) => word.trim())
    const refused = terms.some((term) => /^q=0(\.0*)?$/.test(term))
    if (!refused) for (const one of name === '*' ? ['gzip'] : [name]) wanted.add(one)
  }
  const found = encodingNames.find((name) => wanted.has(name)) ?? null
  if (encodingByHeader.size < 100 && accepted.length < 200) encodingByHeader.set(accepted, found)
  return found
}

const isText = (type: unknown): boolean => /^(application\/(json|openapi\+json)|text\/)/.test(String(type ?? ''))

/** Compresses text responses. */
export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < minBytesToCompress) return payload
    if (reply.hasHeader('content-encoding') || !isText(reply.getHeader('content-type'))) return payload
    const vary = String(reply.getHeader('vary') ?? '')
    if (!/accept-encoding/i.test(vary)) reply.header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding')
    const name = chooseEncoding(String(request.headers['accept-encoding'] ?? ''))
    if (!name) return payload
    const compressor = compressors[name] as Compressor
    const compressed =
      payload.length > maxSyncBytes ? await compressor.compress(payload) : compressor.compressSync(payload)
    reply.header('content-encoding', name).removeHeader('content-length')
    return compressed
  })
}

/** Serves a text that is the same for every client: created on first request, and compressed once per encoding. */
export function serveCompressedPage(type: string, make: () => Promise<string>) {
  const compressed = new Map<string | null, Promise<Buffer>>()
  const pack = async (name: string | null): Promise<Buffer> =>
    name ? (compressors[name] as Compressor).compress(await make()) : Buffer.from(await make())
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const name = chooseEncoding(String(request.headers['accept-encoding'] ?? ''))
    const bytes = compressed.get(name) ?? pack(name)
    compressed.set(name, bytes)
    // After a failure the next request tries again.
    bytes.catch(() => compressed.delete(name))
    const page = await bytes
    const vary = String(reply.getHeader('vary') ?? '')
    if (name) reply.header('content-encoding', name)
    return reply
      .type(type)
      .header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding')
      .send(page)
  }
}
