import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { eventLoopShare } from '../../kernel/event-loop-share.ts'
import { readJson } from '../../kernel/json/json-worker-pool.ts'
import type { Log } from '../../kernel/log.ts'
import { countForBatch } from '../event-limits.ts'
import { findLinesByWebhook, recordWebhookCall, type WebhookLine } from './account.ts'
import { storeHealthChanges } from './health.ts'
import readNotification, { type NotificationItem, type NotificationSummary } from './notification-reader.ts'
import type { AccountHealthChanges } from './parse-health.ts'
import type { NumberChanges } from './parse-notification.ts'
import type { ReceiveCloudEvents } from './provider.ts'
import { replaceVendorIds } from './replace-vendor-ids.ts'
import { expireTemplates } from './templates.ts'
import type { JsonObject } from './untyped-json.ts'

/** Meta guarantees not to send larger notifications than this. */
const maxNotificationBytes = 3 * 1024 * 1024

type WebhookDeps = { deps: Deps; log: Log; receive: ReceiveCloudEvents }

/**
 * The webhook that Meta calls, one for each line. It is outside the contract: its format is Meta's, and it is
 * authenticated not by a session but by the signature over the raw bytes.
 */
export async function serveCloudWebhook(app: FastifyInstance, { deps, log, receive }: WebhookDeps): Promise<void> {
  const findLines = makeLineFinder(deps)
  await app.register(async (webhookApp) => {
    webhookApp.removeAllContentTypeParsers()
    webhookApp.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    webhookApp.get<{ Params: { hook: string }; Querystring: JsonObject }>(
      '/webhooks/cloud/:hook',
      async (request, reply) => {
        const [line] = await findLines(request.params.hook)
        const challenge = answerChallenge(line, request.query)
        await recordWebhookCall(makeWideScope(deps), line)
        return reply.type('text/plain').send(challenge)
      },
    )
    webhookApp.post<{ Params: { hook: string } }>(
      '/webhooks/cloud/:hook',
      {
        bodyLimit: maxNotificationBytes,
        // The body of an unknown URL is not read.
        onRequest: async (request) => void (await findLines(request.params.hook, () => true)),
      },
      async (request, reply) => {
        const { hook } = request.params
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const signature = request.headers['x-hub-signature-256']
        const lines = await findLines(hook, ([line]) => isSigned(line, raw, signature))
        if (!isSigned(lines[0], raw, signature)) throw new AppError('ERR_WEBHOOK_SIGNATURE')
        const { changes, health } = await readChanges(lines[0].companyId, raw)
        // A number that is missing in the cache may be new, so the lines are read again; also for reports about the
        // account, which are rare and concern every line of it.
        const isKnown = health.length === 0 && changes.every((one) => lineFor(lines, one))
        const linesByHook = isKnown ? lines : await findLines(hook)
        const slot = await eventLoopShare.acquire(lines[0].companyId)
        await storeChanges({ deps: deps, log, receive }, linesByHook, changes)
          .then(() => storeHealth(deps, linesByHook, health))
          .finally(() => eventLoopShare.release(slot))
        await recordWebhookCall(makeWideScope(deps), lines[0])
        return reply.send({ message: 'ok' })
      },
    )
  })
}

type WebhookLines = [WebhookLine, ...WebhookLine[]]
const makeWideScope = (deps: Deps) => new Scope(deps, { companyId: 0, wide: true })

/** How long lines are cached: in a burst of calls only the first reads the line from the database. */
const lineCacheTtlMs = 2000
const maxCachedHooks = 1000

/** Finds the lines of a webhook. A cached value is used only if `isUsable` accepts it. */
type FindWebhookLines = (hook: string, isUsable?: (cachedLines: WebhookLines) => boolean) => Promise<WebhookLines>

function makeLineFinder(deps: Deps): FindWebhookLines {
  const linesByHook = new Map<string, { until: number; lines: WebhookLines }>()
  return async (hook, isUsable = () => false) => {
    const cachedLines = linesByHook.get(hook)
    if (cachedLines && cachedLines.until > performance.now() && isUsable(cachedLines.lines)) return cachedLines.lines
    const lines = await loadWebhookLines(deps, hook)
    if (linesByHook.size >= maxCachedHooks) linesByHook.clear()
    linesByHook.set(hook, { until: performance.now() + lineCacheTtlMs, lines })
    return lines
  }
}

async function loadWebhookLines(deps: Deps, hook: string): Promise<WebhookLines> {
  const lines = /^[0-9a-f-]{36}$/.test(hook) ? await findLinesByWebhook(makeWideScope(deps), hook) : []
  if (!lines.length) throw new AppError('ERR_NOT_FOUND')
  return lines as WebhookLines
}

const isSameSecret = (a: string, b: string): boolean => {
  const [one, other] = [a, b].map((text) => createHmac('sha256', 'same length').update(text).digest())
  return timingSafeEqual(one as Buffer, other as Buffer)
}

/** Meta calls this once, when the URL is entered at Meta: a caller with the verify token gets its challenge back. */
function answerChallenge(line: WebhookLine, query: JsonObject): string {
  const [mode, token, challenge] = ['hub.mode', 'hub.verify_token', 'hub.challenge'].map((key) =>
    String(query[key] ?? ''),
  )
  const isVerified = line.verifyToken !== '' && isSameSecret(token as string, line.verifyToken)
  if (mode !== 'subscribe' || !isVerified || !/^[\w-]{1,200}$/.test(challenge as string))
    throw new AppError('ERR_WEBHOOK_SIGNATURE')
  return challenge as string
}

function isSigned({ appSecret }: WebhookLine, raw: Buffer, signature: unknown): boolean {
  const received = Buffer.from(String(signature ?? ''))
  const expected = Buffer.from(`sha256=${createHmac('sha256', appSecret).update(raw).digest('hex')}`)
  return appSecret !== '' && received.length === expected.length && timingSafeEqual(received, expected)
}

/** Meta packs at most a thousand updates into a notification. */
const notificationLimits = { depth: 32, keys: 1000, items: 50_000, values: 200_000 }
const notificationReader = { url: new URL('./notification-reader.ts', import.meta.url), read: readNotification }

/** Parses a notification whose signature was checked; all changes of a number are grouped together. */
async function readChanges(
  companyId: number,
  raw: Buffer,
): Promise<{ changes: NumberChanges[]; health: AccountHealthChanges[] }> {
  const { head, items = [] } = await readJson<NotificationSummary, NotificationItem>(
    companyId,
    raw,
    notificationReader,
    notificationLimits,
  )
  if (!head) throw new AppError('ERR_VALIDATION')
  const byNumber = new Map<string, NumberChanges>()
  const changesFor = (phoneNumberId: string): NumberChanges => {
    const changes = byNumber.get(phoneNumberId) ?? { phoneNumberId, events: [], sent: [], templates: false }
    byNumber.set(phoneNumberId, changes)
    return changes
  }
  for (const phoneNumberId of head.templates) changesFor(phoneNumberId).templates = true
  for (const item of items) {
    const changes = changesFor(item.phoneNumberId)
    if ('event' in item) changes.events.push(item.event)
    else changes.sent.push(item.sent)
  }
  return { changes: [...byNumber.values()], health: head.health }
}

/** Stores the changes. It resolves only when everything is stored; if it fails, Meta sends the notification again. */
async function storeChanges(
  { deps, log, receive }: WebhookDeps,
  lines: WebhookLines,
  all: NumberChanges[],
): Promise<void> {
  const unknown = all.filter((changes) => !lineFor(lines, changes)).length
  if (unknown)
    log.warn({ company: lines[0].companyId, unknown }, 'Meta told of a number that no line of the company has')
  for (const changes of all) {
    const line = lineFor(lines, changes)
    if (!line) continue
    const scope = new Scope(deps, { companyId: line.companyId })
    if (changes.templates) await expireTemplates(scope)
    for (const batch of inBatches(changes)) {
      const events = await replaceVendorIds(scope, line.whatsappId, batch)
      if (events.length) await receive(line, events)
    }
  }
}

/** Stores reports about the account and its numbers, for the lines with the secret of the app that was called. */
async function storeHealth(deps: Deps, [calledLine, ...others]: WebhookLines, reports: AccountHealthChanges[]) {
  const lines = [calledLine, ...others.filter(({ appSecret }) => appSecret === calledLine.appSecret)]
  const scope = new Scope(deps, { companyId: calledLine.companyId })
  for (const report of reports) await storeHealthChanges(scope, lines, report)
}

/** How many events are stored together; other work runs between batches. */
const batchSize = 250

/** Splits changes into batches. The ids that Meta gave to our messages come first, since events may refer to them. */
function* inBatches({ events, sent }: NumberChanges): Generator<Pick<NumberChanges, 'events' | 'sent'>> {
  for (let at = 0; at < sent.length; at += batchSize) yield { events: [], sent: sent.slice(at, at + batchSize) }
  for (let rest = events; rest.length; ) {
    const count = countForBatch(rest, batchSize)
    yield { events: rest.slice(0, count), sent: [] }
    rest = rest.slice(count)
  }
}

/** The line that a change belongs to. Changes of the whole account belong to the line that was called. */
const lineFor = ([calledLine, ...others]: WebhookLines, { phoneNumberId }: NumberChanges): WebhookLine | undefined =>
  !phoneNumberId || calledLine.phoneNumberId === phoneNumberId
    ? calledLine
    : // One app signs for all of its numbers: only lines with the secret of this app may receive its events.
      others.find((line) => line.phoneNumberId === phoneNumberId && line.appSecret === calledLine.appSecret)
