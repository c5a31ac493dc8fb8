import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecure, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A request to an external server. */
export type LoopbackRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string }
export type LoopbackAnswer = { status?: number; type?: string; body: unknown }

/**
 * How the next request is treated instead of being answered. `hang`: no answer. `late`: answered when the given promise
 * resolves. `nonsense`: a proxy answers with an HTML page. `cut`: the connection breaks in the middle of the answer.
 */
export type LoopbackFailure =
  | { kind: 'fail'; status: number; body?: string }
  | { kind: 'late'; after: Promise<unknown> }
  | { kind: 'hang' | 'nonsense' | 'cut' }

/** A fake external server on loopback: it records its requests, and can fail in each of the ways above. */
export async function openLoopbackServer(
  answer: (requests: LoopbackRequest) => LoopbackAnswer,
  secure?: ServerOptions,
) {
  const requests: LoopbackRequest[] = []
  const failures: LoopbackFailure[] = []
  const waiting = new Set<() => void>()
  const state: { permanentFailure: LoopbackFailure | null } = { permanentFailure: null }

  async function respond(one: LoopbackRequest, response: ServerResponse): Promise<void> {
    const failure = failures.shift() ?? state.permanentFailure
    if (failure?.kind === 'hang') return
    if (failure?.kind === 'fail') return void response.writeHead(failure.status).end(failure.body ?? 'not now')
    if (failure?.kind === 'nonsense')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
    if (failure?.kind === 'late') await failure.after
    const { status = 200, type = 'application/json', body } = answer(one)
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    response.writeHead(status, { 'content-type': type, 'content-length': bytes.length })
    if (failure?.kind !== 'cut') return void response.end(bytes)
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
    response.destroy()
  }

  const listen = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body: Buffer.concat(parts).toString('utf8') }
    requests.push(one)
    for (const check of waiting) check()
    await respond(one, response).catch(() => response.destroy())
  }
  const server = secure ? createSecure(secure, listen) : createServer(listen)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))

  return {
    url: `http${secure ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: requests,
    /** Failures of the next requests, in order. */
    failures: failures,
    /** A failure of all requests, until it is set to null again. */
    state,
    /** Resolves at the nth request. */
    waitForRequest: (n: number): Promise<LoopbackRequest> =>
      new Promise((done) => {
        const check = () => {
          const found = requests[n - 1]
          if (!found) return
          waiting.delete(check)
          done(found)
        }
        waiting.add(check)
        check()
      }),
    reset(): void {
      requests.splice(0)
      failures.splice(0)
      state.permanentFailure = null
    },
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}
