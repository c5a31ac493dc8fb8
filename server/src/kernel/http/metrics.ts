import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { AppError } from '../errors.ts'
import type { LiveUpdates } from '../live/live-updates.ts'

/** `lastAt`: when the last successful backup finished. Null: backups are not configured. */
type ReadBackupState = () => Promise<{ lastAt: string | null; error: string | null } | null>

/** A metric of a higher layer, read when it is requested. */
export type MetricReading = {
  name: string
  help: string
  labels: readonly string[]
  type: 'gauge' | 'counter'
  values: { labels: Record<string, string>; value: number }[]
}

/** Serves metrics for Prometheus. Calls from another machine need the operator's token. */
export function serveMetrics(
  app: FastifyInstance,
  token: string | undefined,
  live: LiveUpdates,
  backups: ReadBackupState,
  readings: () => Promise<MetricReading[]>,
): void {
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
  const lastSuccess = new Gauge({
    name: 'backup_last_success_seconds',
    help: 'When the last backup was ready, in Unix time; 0: never',
    registers: [],
  })
  const lastFailed = new Gauge({ name: 'backup_failed', help: '1 when the last backup failed', registers: [] })
  const gauges = new Map<string, Gauge | Counter>()
  const setReading = ({ name, help, labels, type, values }: MetricReading) => {
    const Kind = type === 'gauge' ? Gauge : Counter
    const gauge = gauges.get(name) ?? new Kind({ name, help, labelNames: [...labels], registers: [register] })
    gauges.set(name, gauge)
    gauge.reset()
    for (const one of values) gauge.inc(one.labels, one.value)
  }
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'app'
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (request, reply) => {
    if (!isAllowedCaller(request, token)) throw new AppError('ERR_NOT_FOUND')
    // Without the database all other metrics are still returned.
    const backup = await backups().catch(() => null)
    if (backup) {
      for (const gauge of [lastSuccess, lastFailed]) register.registerMetric(gauge)
      lastSuccess.set(backup.lastAt ? Date.parse(backup.lastAt) / 1000 : 0)
      lastFailed.set(backup.error === null ? 0 : 1)
    }
    for (const reading of await readings()) setReading(reading)
    return reply.type(register.contentType).send(await register.metrics())
  })
}

/** Compares in constant time, so that the duration does not reveal the secret. */
const isSameSecret = (given: string, right: string): boolean => {
  const [one, other] = [given, right].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(one, other)
}

/**
 * Whether the caller may read metrics. If a token is set, it is required. Otherwise only this machine is allowed, but
 * not a proxy on it.
 */
function isAllowedCaller(request: FastifyRequest, token: string | undefined): boolean {
  if (token) return isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)
  if (request.headers['x-forwarded-for'] || request.headers.forwarded) return false
  return ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '')
}
