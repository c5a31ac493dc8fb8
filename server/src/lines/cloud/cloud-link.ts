import type { Scope } from '../../kernel/data/scope.ts'
import type { Log } from '../../kernel/log.ts'
import { backoffMs } from '../held-line.ts'
import type { InboundEvent, LineListener, LineRow } from '../line.ts'
import { type CloudLineAccount, loadCloudAccount } from './account.ts'
import { toCloudFailure } from './failures.ts'
import {
  defaultGraphTimings,
  type GraphClient,
  GraphRefusedError,
  type GraphTimings,
  makeGraphClient,
} from './graph-client.ts'
import { storePolledHealth } from './health.ts'

/**
 * `checkMs`: how often a working line is checked; `refusedMs`: how often a line that Meta refuses is checked. `settleMs`:
 * how long an unanswered send waits for its status before it is shown as unsure. `pollMs`: how often stored events are
 * read in case a signal between processes was lost.
 */
export const defaultCloudTimings = {
  ...defaultGraphTimings,
  checkMs: 600_000,
  refusedMs: 300_000,
  reconnectMs: 1_000,
  settleMs: 15_000,
  pollMs: 10_000,
}
export type CloudTimings = typeof defaultCloudTimings & GraphTimings

export type CloudSession = { account: CloudLineAccount; graph: GraphClient; since: number }
export type CloudLink = ReturnType<typeof makeCloudLink>

const inboxBatchSize = 100

/**
 * There is no permanent connection: the line is up while Meta accepts its token. Customers' messages arrive by the webhook
 * whether it is up or down, and messages that another process received are fetched here.
 */
export function makeCloudLink(
  scope: Scope,
  row: LineRow,
  listener: LineListener,
  log: Log,
  graphUrl: string,
  pace: CloudTimings,
) {
  let session: CloudSession | null = null
  let failureCount = 0
  let timer: NodeJS.Timeout | undefined
  let lastStep: Promise<void> = Promise.resolve()
  let draining: Promise<void> | undefined
  let isMoreWaiting = false
  const abort = new AbortController()
  const drainTimer = setInterval(() => void drain(), pace.pollMs)

  function enqueueStep(step: () => Promise<void>): Promise<void> {
    lastStep = lastStep
      .then(() => (abort.signal.aborted ? undefined : step()))
      .catch((err) => {
        log.warn({ err, line: row.id }, 'a line on the official API failed')
        checkAfter(pace.reconnectMs)
      })
    return lastStep
  }
  function checkAfter(ms: number): void {
    clearTimeout(timer)
    if (!abort.signal.aborted) timer = setTimeout(() => void enqueueStep(check), ms)
  }

  /** Requests the number from Meta, and sets the line's state by the result. */
  async function check(): Promise<void> {
    const account = await loadCloudAccount(scope, row.id)
    // Without the secret no webhook call could be verified.
    if (!account?.phoneNumberId || !account.accessToken || !account.appSecret)
      return reportDown('cloud-incomplete', null)
    const graph = makeGraphClient(graphUrl, account.accessToken, pace)
    try {
      const numberReply = await requestNumber(graph, account)
      // An account has one webhook: another line of it, or a person at Meta, may have replaced ours.
      if (!session || account.webhook) await subscribe(graph, account)
      failureCount = 0
      session = { account, graph, since: session?.since ?? scope.now().getTime() }
      await listener.reportState({ status: 'CONNECTED', number: readDisplayNumber(numberReply) })
      await storePolledHealth(scope, row.id, numberReply)
      checkAfter(pace.checkMs)
    } catch (error) {
      if (abort.signal.aborted) return
      const reason = error instanceof WebhookRefusedError ? 'webhook-refused' : toLineReason(error)
      const isTransient = reason === 'network' || reason === 'meta-down'
      await reportDown(reason, isTransient ? backoffMs(Math.min(failureCount++, 6), pace.reconnectMs) : pace.refusedMs)
    }
  }

  /** The number with its health. A version of the API that does not know a field of the health answers without them. */
  async function requestNumber(graph: GraphClient, { phoneNumberId }: CloudLineAccount): Promise<unknown> {
    const fields = 'id,display_phone_number,verified_name'
    try {
      const path = `${phoneNumberId}?fields=${fields},quality_rating,messaging_limit_tier`
      return await graph.get(path, abort.signal)
    } catch (error) {
      const isUnknownField = error instanceof GraphRefusedError && /nonexisting field/i.test(error.fault.title)
      if (!isUnknownField) throw error
      return graph.get(`${phoneNumberId}?fields=${fields}`, abort.signal)
    }
  }

  /**
   * Subscribes to the events of the account, without which Meta sends none. If permission is missing, an admin must
   * subscribe on Meta's pages. A number that was connected with the operator's app has its own webhook, which Meta
   * calls before it answers: without it the line would never receive anything, so it is not up.
   */
  async function subscribe(graph: GraphClient, { businessAccountId, webhook }: CloudLineAccount): Promise<void> {
    if (!businessAccountId) return
    const override = webhook && { override_callback_uri: webhook.url, verify_token: webhook.verifyToken }
    await graph.post(`${businessAccountId}/subscribed_apps`, override ?? {}, abort.signal).catch((err) => {
      log.info({ err, line: row.id }, 'the app could not be subscribed to the account')
      if (webhook) throw isWebhookRefusal(err) ? new WebhookRefusedError() : err
    })
  }

  async function reportDown(reason: string, retryMs: number | null): Promise<void> {
    session = null
    if (retryMs !== null) checkAfter(retryMs)
    await listener.reportState({ status: 'DISCONNECTED', reason, retries: failureCount })
  }

  /** One transfer at a time; a call during a transfer causes one more transfer after it. */
  function drain(): Promise<void> {
    isMoreWaiting = true
    draining ??= (async () => {
      while (isMoreWaiting && !abort.signal.aborted) {
        isMoreWaiting = false
        await handOver().catch(
          (err) => abort.signal.aborted || log.warn({ err, line: row.id }, 'not handed over, waiting'),
        )
      }
    })().finally(() => {
      draining = undefined
    })
    return draining
  }
  async function handOver(): Promise<void> {
    const rows = await scope.db
      .selectFrom('cloudInbox')
      .select(['id', 'events'])
      .where('companyId', '=', row.companyId)
      .where('whatsappId', '=', row.id)
      .orderBy('id')
      .limit(inboxBatchSize)
      .execute()
    if (!rows.length) return
    isMoreWaiting ||= rows.length === inboxBatchSize
    await listener.receive(rows.flatMap((r) => r.events as unknown as InboundEvent[]))
    const ids = rows.map((r) => r.id)
    await scope.db.deleteFrom('cloudInbox').where('companyId', '=', row.companyId).where('id', 'in', ids).execute()
  }

  async function isBehind(): Promise<boolean> {
    const [found] = await scope.deps.database.queryPrepared<{ waits: boolean }>(
      row.companyId,
      'cloud-inbox-waits',
      `select exists (select from "cloudInbox" where "companyId" = $1 and "whatsappId" = $2) as waits`,
      [row.companyId, row.id],
    )
    return found?.waits ?? false
  }
  /**
   * Hands over events that this process received. They must not overtake events that another process received earlier,
   * even if its signal was lost. If the earlier events cannot be processed now, the caller stores these behind them.
   */
  async function receive(events: InboundEvent[]): Promise<void> {
    if (await isBehind()) {
      await drain()
      if (await isBehind()) throw new Error('earlier webhook events are not handed over yet')
    }
    await listener.receive(events)
  }

  return {
    receive: receive,
    drain,
    ended: abort.signal,
    /** The client for Meta. Throws while the line is down: then nothing is sent, and waiting messages keep waiting. */
    requireSession(): CloudSession {
      if (!session) throw new Error('Meta does not accept the line at present')
      return session
    },
    /**
     * Marks the line as down. This is not awaited: taking the line down waits for senders, and the caller is a sender.
     */
    markLost(reason: string): void {
      if (!session) return
      session = null
      void enqueueStep(() => reportDown(reason, reason === 'network' ? pace.reconnectMs : pace.refusedMs))
    },
    /** Checks the line now, after an error that may affect the whole line. */
    recheck: (): void => void enqueueStep(check),
    async open(): Promise<void> {
      await listener.reportState({ status: 'OPENING' })
      void drain()
      await enqueueStep(check)
    },
    async close(): Promise<void> {
      abort.abort()
      clearInterval(drainTimer)
      clearTimeout(timer)
      await Promise.all([lastStep, draining])
    },
  }
}

function readDisplayNumber(numberReply: unknown): string {
  const displayNumber =
    typeof numberReply === 'object' &&
    numberReply !== null &&
    'display_phone_number' in numberReply &&
    numberReply.display_phone_number
  return String(displayNumber || '').replace(/\D/g, '')
}

/** Meta accepts the token, but not the webhook of the line. */
class WebhookRefusedError extends Error {}

const isWebhookRefusal = (error: unknown): boolean =>
  error instanceof GraphRefusedError &&
  error.status < 500 &&
  ['bad-parameter', 'meta-error'].includes(toCloudFailure(error.fault.code))

/** Why Meta refuses the line, as one of the contract's `lineDownReasons`. */
export function toLineReason(error: unknown): string {
  if (!(error instanceof GraphRefusedError)) return 'network'
  const { code, subcode } = error.fault
  if (code === 33 || (code === 100 && subcode === 33) || code === 803 || error.status === 404) return 'number-not-found'
  const word = toCloudFailure(code)
  if (word === 'token-expired' || word === 'no-permission' || word === 'account-locked') return word
  return code === 100 ? 'number-not-found' : 'meta-down'
}
