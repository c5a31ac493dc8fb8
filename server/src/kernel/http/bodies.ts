import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { answerNoRequest } from './http.ts'

/** Deeper and wider than anything a form sends: what has more only keeps the reader busy. */
const mostDeep = 64
const mostKeys = 2000
/** What is shorter cannot keep anybody busy. */
const smallText = 32 * 1024
/** Files may come slowly, but not as slowly as this. */
const leastBytesPerSecond = 2000

/**
 * How bodies are read. Browsers send writes without a body, with or without a content type: all of them mean "nothing".
 * `timeout`: so long may a body take that is no file, and so long may files stay away.
 */
export function readBodies(app: FastifyInstance, timeout: number): void {
  const json = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else if (!isPlain(body as string)) done(new AppError('ERR_VALIDATION'))
    else json(request, body as string, done)
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') done(null, undefined)
    else done(Object.assign(new Error('content type'), { statusCode: 415 }))
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request
    const comes = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    // No browser packs what it sends, and what is packed can be any size.
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      return done(Object.assign(new Error('content encoding'), { statusCode: 415 }))
    if (comes) waitFor(request, timeout)
    done()
  })
}

/** Cuts the line of who keeps a body open. */
function waitFor({ raw, headers }: FastifyRequest, timeout: number): void {
  const socket: Socket = raw.socket
  const isForm = headers['content-type']?.startsWith('multipart/') ?? false
  const least = (leastBytesPerSecond * timeout) / 1000
  let read = socket.bytesRead
  const looks = setInterval(() => {
    const came = socket.bytesRead - read
    read = socket.bytesRead
    if (isForm && came >= least) return
    clearInterval(looks)
    answerNoRequest(Object.assign(new Error('a body that does not end'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  }, timeout).unref()
  const over = () => clearInterval(looks)
  raw.once('end', over)
  raw.once('close', over)
}

/** Nothing in it is nested or wide beyond reason. One look along the text, before anything is made of it. */
export function isPlain(text: string): boolean {
  if (text.length < smallText) return true
  const members = new Uint32Array(mostDeep + 1)
  const objects = new Uint8Array(mostDeep + 1)
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === quote) {
      at = endOfText(text, at)
      if (at < 0) return true
    } else if (sign === brace || sign === bracket) {
      if (++depth > mostDeep) return false
      members[depth] = 0
      objects[depth] = sign === brace ? 1 : 0
    } else if (sign === braceEnd || sign === bracketEnd) depth = Math.max(0, depth - 1)
    else if (sign === comma && objects[depth] && (members[depth] as number)++ >= mostKeys) return false
  }
  return true
}
const [quote, comma, brace, bracket, braceEnd, bracketEnd, backslash] = [0x22, 0x2c, 0x7b, 0x5b, 0x7d, 0x5d, 0x5c]

/** Where the text that begins here ends: at a quote that no odd number of backslashes stands before. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return at
  }
  return -1
}
