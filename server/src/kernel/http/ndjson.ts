import { AppError } from '../errors.ts'
import type { HttpExchange } from './routes.ts'

const ndjsonType = 'application/x-ndjson'

/**
 * An answer that takes its time. Whoever asks for lines gets the text as it is written, one JSON object to a line:
 * `{"text"}` for each piece, then `{"done"}` with the whole answer, or `{"error"}`. Whoever does not gets the answer
 * when it is there. Who hangs up ends the work.
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
      // The last: no proxy in between keeps it until it is whole.
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
    // Nothing was said yet: an ordinary refusal.
    if (!begun) throw error
    const known = error instanceof AppError
    write(known ? { error: error.code, ...error.more } : { error: 'ERR_INTERNAL_SERVER_ERROR' })
    if (!known && !gone.signal.aborted) request.log.error({ err: error }, 'unexpected')
    return null
  })
  if (result !== null) write({ done: result })
  reply.raw.end()
  // It has been answered already (see `answer` in http.ts).
  return result as T
}
