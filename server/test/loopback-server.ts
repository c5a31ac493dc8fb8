import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecure, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A request to an external server. */
export type LoopbackRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string }
export type LoopbackAnswer = { status?: number; type?: string; body: unknown }

/**
 * How the next request is treated instead. `hang`: no answer. `late`: answered when that has happened. `nonsense`: a proxy
 * answers with an HTML page. `cut`: the connection breaks in the middle of the answer.
 */
export type LoopbackFailure =
  | { kind: 'fail'; status: number; body?: string }
  | { kind: 'late'; after: Promise<unknown> }
  | { kind: 'hang' | 'nonsense' | 'cut' }

/** A fake external server on loopback: it records its requests, and can fail in every way. */
export async function openLoopbackServer(answer: (asked: LoopbackRequest) => LoopbackAnswer, secure?: ServerOptions) {
  const asked: LoopbackRequest[] = []
  const mishaps: LoopbackFailure[] = []
  const waiting = new Set<() => void>()
  const state: { permanentFailure: LoopbackFailure | null } = { permanentFailure: null }

  async function respond(one: LoopbackRequest, response: ServerResponse): Promise<void> {
    const mishap = mishaps.shift() ?? state.permanentFailure
    if (mishap?.kind === 'hang') return
    if (mishap?.kind === 'fail') return void response.writeHead(mishap.status).end(mishap.body ?? 'not now')
    if (mishap?.kind === 'nonsense')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
    if (mishap?.kind === 'late') await mishap.after
    const { status = 200, type = 'application/json', body } = answer(one)
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    response.writeHead(status, { 'content-type': type, 'content-length': bytes.length })
    if (mishap?.kind !== 'cut') return void response.end(bytes)
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
    response.destroy()
  }

  const listen = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body: Buffer.concat(parts).toString('utf8') }
    asked.push(one)
    for (const look of waiting) look()
    await respond(one, response).catch(() => response.destroy())
  }
  const server = secure ? createSecure(secure, listen) : createServer(listen)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))

  return {
    url: `http${secure ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: asked,
    /** For the next requests, in order. */
    failures: mishaps,
    /** For all requests, until it is null again. */
    state,
    /** Resolves at the nth request. */
    waitForRequest: (n: number): Promise<LoopbackRequest> =>
      new Promise((done) => {
        const look = () => {
          const found = asked[n - 1]
          if (!found) return
          waiting.delete(look)
          done(found)
        }
        waiting.add(look)
        look()
      }),
    reset(): void {
      asked.splice(0)
      mishaps.splice(0)
      state.permanentFailure = null
    },
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}
