import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { eventLoopShare } from '../../kernel/event-loop-share.ts'
import { readJson } from '../../kernel/json/json-worker-pool.ts'
import type { Log } from '../../kernel/log.ts'
import { countForBatch } from '../event-limits.ts'
import { findLinesByWebhook, recordWebhookCall, type WebhookLine } from './account.ts'
import readNotification, { type NotificationItem, type NotificationSummary } from './notification-reader.ts'
import type { NumberChanges } from './parse-notification.ts'
import type { ReceiveCloudEvents } from './provider.ts'
import { replaceVendorIds } from './replace-vendor-ids.ts'
import { expireTemplates } from './templates.ts'
import type { JsonObject } from './untyped-json.ts'

/** Meta guarantees not to send more than this at once. */
const maxNotificationBytes = 3 * 1024 * 1024

type WebhookDeps = { deps: Deps; log: Log; receive: ReceiveCloudEvents }

/**
 * The webhook that Meta calls, one for each line. It is outside the contract: its format is Meta's, and it is
 * authenticated not by a session but by the signature over the raw bytes.
 */
export async function serveCloudWebhook(
  app: FastifyInstance,
  { deps: means, log, receive }: WebhookDeps,
): Promise<void> {
  const find = makeLineFinder(means)
  await app.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    door.get<{ Params: { hook: string }; Querystring: JsonObject }>('/webhooks/cloud/:hook', async (request, reply) => {
      const [line] = await find(request.params.hook)
      const word = answerChallenge(line, request.query)
      await recordWebhookCall(makeWideScope(means), line)
      return reply.type('text/plain').send(word)
    })
    door.post<{ Params: { hook: string } }>(
      '/webhooks/cloud/:hook',
      {
        bodyLimit: maxNotificationBytes,
        // The body of an unknown URL is not read.
        onRequest: async (request) => void (await find(request.params.hook, () => true)),
      },
      async (request, reply) => {
        const { hook } = request.params
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const signature = request.headers['x-hub-signature-256']
        const lines = await find(hook, ([line]) => isSigned(line, raw, signature))
        if (!isSigned(lines[0], raw, signature)) throw new AppError('ERR_WEBHOOK_SIGNATURE')
        const heard = await readChanges(lines[0].companyId, raw)
        // A number missing from the cache may be new.
        const known = heard.every((one) => lineFor(lines, one)) ? lines : await find(hook)
        const place = await eventLoopShare.acquire(lines[0].companyId)
        await storeChanges({ deps: means, log, receive }, known, heard).finally(() => eventLoopShare.release(place))
        await recordWebhookCall(makeWideScope(means), lines[0])
        return reply.send({ message: 'ok' })
      },
    )
  })
}

type WebhookLines = [WebhookLine, ...WebhookLine[]]
const makeWideScope = (means: Deps) => new Scope(means, { companyId: 0, wide: true })

/** In a burst of calls only the first reads the line from the database. */
const lineCacheTtlMs = 2000
const maxCachedHooks = 1000

/** A cached value is used only if it fits. */
type FindWebhookLines = (hook: string, fits?: (kept: WebhookLines) => boolean) => Promise<WebhookLines>

function makeLineFinder(means: Deps): FindWebhookLines {
  const known = new Map<string, { until: number; lines: WebhookLines }>()
  return async (hook, fits = () => false) => {
    const kept = known.get(hook)
    if (kept && kept.until > performance.now() && fits(kept.lines)) return kept.lines
    const lines = await loadWebhookLines(means, hook)
    if (known.size >= maxCachedHooks) known.clear()
    known.set(hook, { until: performance.now() + lineCacheTtlMs, lines })
    return lines
  }
}

async function loadWebhookLines(means: Deps, hook: string): Promise<WebhookLines> {
  const known = /^[0-9a-f-]{36}$/.test(hook) ? await findLinesByWebhook(makeWideScope(means), hook) : []
  if (!known.length) throw new AppError('ERR_NOT_FOUND')
  return known as WebhookLines
}

const isSameSecret = (a: string, b: string): boolean => {
  const [one, other] = [a, b].map((text) => createHmac('sha256', 'same length').update(text).digest())
  return timingSafeEqual(one as Buffer, other as Buffer)
}

/** Meta calls it once, when the URL is entered there: a caller with the verify token gets its challenge back. */
function answerChallenge(line: WebhookLine, query: JsonObject): string {
  const [mode, token, word] = ['hub.mode', 'hub.verify_token', 'hub.challenge'].map((key) => String(query[key] ?? ''))
  const known = line.verifyToken !== '' && isSameSecret(token as string, line.verifyToken)
  if (mode !== 'subscribe' || !known || !/^[\w-]{1,200}$/.test(word as string))
    throw new AppError('ERR_WEBHOOK_SIGNATURE')
  return word as string
}

function isSigned({ appSecret }: WebhookLine, raw: Buffer, signature: unknown): boolean {
  const given = Buffer.from(String(signature ?? ''))
  const right = Buffer.from(`sha256=${createHmac('sha256', appSecret).update(raw).digest('hex')}`)
  return appSecret !== '' && given.length === right.length && timingSafeEqual(given, right)
}

/** Meta packs at most a thousand updates into a notification. */
const notificationLimits = { depth: 32, keys: 1000, items: 50_000, values: 200_000 }
const notificationReader = { url: new URL('./notification-reader.ts', import.meta.url), read: readNotification }

/** Reads only what is signed with the app secret; grouped by number, several changes of one in one go. */
async function readChanges(companyId: number, raw: Buffer): Promise<NumberChanges[]> {
  const { head, items = [] } = await readJson<NotificationSummary, NotificationItem>(
    companyId,
    raw,
    notificationReader,
    notificationLimits,
  )
  if (!head) throw new AppError('ERR_VALIDATION')
  const byNumber = new Map<string, NumberChanges>()
  const of = (phoneNumberId: string): NumberChanges => {
    const known = byNumber.get(phoneNumberId) ?? { phoneNumberId, events: [], sent: [], templates: false }
    byNumber.set(phoneNumberId, known)
    return known
  }
  for (const phoneNumberId of head.templates) of(phoneNumberId).templates = true
  for (const item of items) {
    const heard = of(item.phoneNumberId)
    if ('event' in item) heard.events.push(item.event)
    else heard.sent.push(item.sent)
  }
  return [...byNumber.values()]
}

/** Responds only when everything is stored: otherwise Meta sends it again. */
async function storeChanges(
  { deps: means, log, receive }: WebhookDeps,
  lines: WebhookLines,
  all: NumberChanges[],
): Promise<void> {
  const unknown = all.filter((heard) => !lineFor(lines, heard)).length
  if (unknown)
    log.warn({ company: lines[0].companyId, unknown }, 'Meta told of a number that no line of the company has')
  for (const heard of all) {
    const line = lineFor(lines, heard)
    if (!line) continue
    const scope = new Scope(means, { companyId: line.companyId })
    if (heard.templates) await expireTemplates(scope)
    for (const part of inBatches(heard)) {
      const events = await replaceVendorIds(scope, line.whatsappId, part)
      if (events.length) await receive(line, events)
    }
  }
}

/** How many are stored together; other work runs in between. */
const batchSize = 250

/** First the ids that Meta gave to ours, since events may refer to them. */
function* inBatches({ events, sent }: NumberChanges): Generator<Pick<NumberChanges, 'events' | 'sent'>> {
  for (let at = 0; at < sent.length; at += batchSize) yield { events: [], sent: sent.slice(at, at + batchSize) }
  for (let rest = events; rest.length; ) {
    const count = countForBatch(rest, batchSize)
    yield { events: rest.slice(0, count), sent: [] }
    rest = rest.slice(count)
  }
}

/** Changes of the whole account belong to the line that was called. */
const lineFor = ([called, ...others]: WebhookLines, { phoneNumberId }: NumberChanges): WebhookLine | undefined =>
  !phoneNumberId || called.phoneNumberId === phoneNumberId
    ? called
    : // The same app signs for all of its numbers: only lines with its secret may receive them.
      others.find((line) => line.phoneNumberId === phoneNumberId && line.appSecret === called.appSecret)
