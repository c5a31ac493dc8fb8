import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** What a proxy may call a request: nothing that could be mistaken for another field of a log line. */
const requestIdPattern = /^[\w-]{6,64}$/

/** Names calls: as a proxy of ours did, or by a name of this process and a number. */
export function makeRequestIdGenerator(trustsProxy: boolean) {
  const process = randomBytes(5).toString('hex')
  let count = 0
  return ({ headers }: { headers: Record<string, string | string[] | undefined> }): string => {
    const given = headers['x-request-id']
    return trustsProxy && typeof given === 'string' && requestIdPattern.test(given)
      ? given
      : `r${process}-${(++count).toString(36)}`
  }
}

/** Every reply says by which name the log knows its call. */
export function sendRequestIdHeader(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
  })
}
