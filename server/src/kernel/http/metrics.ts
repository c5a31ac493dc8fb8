import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { AppError } from '../errors.ts'
import type { Live } from '../live/live.ts'

/** For Prometheus. From another machine only with the operator's token. */
export function serveMetrics(app: FastifyInstance, token: string | undefined, live: Live): void {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [register],
  })
  new Gauge({
    name: 'live_connections',
    help: 'Open sockets',
    registers: [register],
    collect() {
      this.set(live.connections())
    },
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'app'
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (request, reply) => {
    if (!allowed(request, token)) throw new AppError('ERR_NOT_FOUND')
    return reply.type(register.contentType).send(await register.metrics())
  })
}

/** With a token set, only the token counts. Without one only this machine, not a proxy on it that speaks for somebody else. */
function allowed(request: FastifyRequest, token: string | undefined): boolean {
  if (token) return request.headers.authorization === `Bearer ${token}`
  if (request.headers['x-forwarded-for'] || request.headers.forwarded) return false
  return ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '')
}
