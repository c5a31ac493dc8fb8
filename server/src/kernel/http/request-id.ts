import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** Accepted request ids of a proxy: without characters that could start another field of a log entry. */
const requestIdPattern = /^[\w-]{6,64}$/

/** Generates request ids: the id from a trusted proxy, or a process prefix and a counter. */
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

/** Every response carries the request id used in the log. */
export function sendRequestIdHeader(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
  })
}
