import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { countJsonValues } from '../json/json-limits.ts'
import { smallJsonBytes } from '../json/json-worker-pool.ts'
import { LargeJsonBody, smallJsonLimits } from './large-json-body.ts'
import { replyToMalformedRequest } from './routes.ts'

/** Minimum upload speed for files. */
const minUploadBytesPerSecond = 2000

/**
 * How bodies are parsed. Browsers send writes without a body, with or without a content type: both are parsed as an empty
 * body. `timeout`: the maximum time for a body without files, and the maximum pause for files.
 */
export function registerBodyParsers(app: FastifyInstance, timeout: number): void {
  const json = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    if (!bytes.length) done(null, undefined)
    else if (bytes.length > smallJsonBytes || countJsonValues(bytes, smallJsonLimits) === null)
      done(null, new LargeJsonBody(bytes))
    else json(request, bytes.toString('utf8'), done)
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') done(null, undefined)
    else done(Object.assign(new Error('content type'), { statusCode: 415 }))
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    // No browser compresses requests, and compressed data can expand to any size.
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      return done(Object.assign(new Error('content encoding'), { statusCode: 415 }))
    if (hasBody) closeIfBodyStalls(request, timeout)
    done()
  })
}

/** Closes the connection of a client that keeps a body open. */
function closeIfBodyStalls({ raw, headers }: FastifyRequest, timeout: number): void {
  const socket: Socket = raw.socket
  const isForm = headers['content-type']?.startsWith('multipart/') ?? false
  const minBytes = (minUploadBytesPerSecond * timeout) / 1000
  let read = socket.bytesRead
  const timer = setInterval(() => {
    const receivedBytes = socket.bytesRead - read
    read = socket.bytesRead
    if (isForm && receivedBytes >= minBytes) return
    clearInterval(timer)
    replyToMalformedRequest(
      Object.assign(new Error('a body that does not end'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      socket,
    )
  }, timeout).unref()
  const stopTimer = () => clearInterval(timer)
  raw.once('end', stopTimer)
  raw.once('close', stopTimer)
}
