import { AppError } from '../errors.ts'
import type { HttpExchange } from './routes.ts'

const ndjsonType = 'application/x-ndjson'

/**
 * A slow response. A client that accepts NDJSON gets the text as a stream of JSON objects: `{"text"}` for each piece, then
 * `{"done"}` with the whole answer, or `{"error"}`. Other clients get the answer when it is complete. A disconnect aborts
 * the work.
 */
export async function streamAsNdjson<T>(
  { request, reply }: HttpExchange,
  work: (say: (text: string) => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort())
  if (!request.headers.accept?.includes(ndjsonType)) return work(() => {}, gone.signal)
  let begun = false
  const write = (line: object): void => {
    if (gone.signal.aborted) return
    if (!begun) {
      begun = true
      reply.hijack()
      // The last header keeps proxies from buffering the response.
      const headers = {
        'content-type': `${ndjsonType}; charset=utf-8`,
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      }
      reply.raw.writeHead(200, headers)
    }
    reply.raw.write(`${JSON.stringify(line)}\n`)
  }
  const result = await work((text) => write({ text }), gone.signal).catch((error: unknown) => {
    // Nothing was sent yet, so the error becomes an ordinary error response.
    if (!begun) throw error
    const known = error instanceof AppError
    write(known ? { error: error.code, ...error.details } : { error: 'ERR_INTERNAL_SERVER_ERROR' })
    if (!known && !gone.signal.aborted) request.log.error({ err: error }, 'unexpected')
    return null
  })
  if (result !== null) write({ done: result })
  reply.raw.end()
  // The response was already sent (see `reply.sent` in routes.ts).
  return result as T
}
