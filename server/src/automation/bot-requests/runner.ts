import { lockTicket, presentTicket, presentTickets } from '../../desk/tickets/base/ticket-view.ts'
import { makeStep, recordTicketEvent } from '../../desk/tickets/base/tracking.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { withStoredUploads } from '../../kernel/files/media.ts'
import type { Log } from '../../kernel/log.ts'
import { runWithTrace } from '../../kernel/trace.ts'
import type { ImmediateAction } from '../bot-actions/bot.ts'
import { performAction } from '../bot-actions/perform.ts'
import { raceAbort } from '../race-abort.ts'
import { defaultQueueOf, loadRulebook } from '../rulebook.ts'
import { type BotBackend, PermanentBotError, RetryLaterError } from './backend.ts'
import {
  type ClaimedBotRequest,
  claimBotRequest,
  deleteBotRequest,
  hasNewerBotRequest,
  recordLateAnswer,
  releaseBotRequest,
  renewBotRequest,
} from './store.ts'
import { loadTicketSnapshot, whyTooLate } from './ticket-snapshot.ts'

export type BotRequestLimits = {
  /** Parallel bot requests in this process, and per company, so that a slow company delays only itself. */
  maxParallel: number
  maxPerCompany: number
  /** The request of a dead process is taken over after this time. */
  leaseMs: number
  /** Polling interval, because a notification may get lost. */
  pollMs: number
  /** The pause after this many failed attempts. */
  retryDelayMs: (failures: number) => number
}
const defaultLimits: BotRequestLimits = {
  ...{ maxParallel: 16, maxPerCompany: 4, leaseMs: 30_000, pollMs: 5000 },
  retryDelayMs: (failures) => 1000 * 4 ** (failures - 1),
}
const defaultTimeoutMs = 30_000
const defaultTries = 3
/** A request that crashes the process each time is given up after this many claims. */
const maxClaims = 10

/**
 * Runs bot requests after the commit that wrote them, one at a time per ticket, in order. The transaction that ends a
 * request also performs the answer, so it is performed once, and only if the ticket is unchanged.
 */
export function makeBotRequestRunner(
  deps: Deps,
  log: Log,
  backends: readonly BotBackend[],
  limits: Partial<BotRequestLimits> = {},
) {
  const { maxParallel, maxPerCompany, leaseMs, pollMs, retryDelayMs } = { ...defaultLimits, ...limits }
  const backendsByName = new Map(backends.map((backend) => [backend.name, backend]))
  const running = new Map<ClaimedBotRequest, Promise<void>>()
  const shutdown = new AbortController()
  /** Outcomes since this process started. */
  const tally = { answered: 0, failed: 0, refused: 0 }
  let claiming: Promise<void> | null = null
  let pollAgain = false

  /** Companies that have reached their limit. */
  function companiesAtLimit(): number[] {
    const companies = Map.groupBy(running.keys(), (one) => one.companyId)
    return [...companies].filter(([, all]) => all.length >= maxPerCompany).map(([id]) => id)
  }

  async function claimAll(): Promise<void> {
    do {
      pollAgain = false
      while (running.size < maxParallel && !shutdown.signal.aborted) {
        const one = await claimBotRequest(deps, companiesAtLimit(), leaseMs)
        if (!one) break
        running.set(
          one,
          runWithTrace(one.trace, () => handleRequest(one)),
        )
      }
    } while (pollAgain && !shutdown.signal.aborted)
  }
  function poll(): Promise<void> {
    pollAgain = true
    claiming ??= claimAll()
      .catch((err) => log.warn({ err }, 'what bots ask cannot be looked at'))
      .finally(() => {
        claiming = null
      })
    return claiming
  }

  async function handleRequest(one: ClaimedBotRequest): Promise<void> {
    const scope = new Scope(deps, { companyId: one.companyId })
    try {
      await processRequest(scope, one)
    } catch (err) {
      // Usually the database was lost: the request is retried when its lease expires.
      log.error({ err, ask: one.id, asker: one.asker }, 'a question was not finished')
    } finally {
      running.delete(one)
      if (!shutdown.signal.aborted) void poll()
    }
  }

  async function processRequest(scope: Scope, one: ClaimedBotRequest): Promise<void> {
    // The ticket has changed since: of several requests in a row, only the last needs an answer.
    if (whyTooLate(one.seen, await loadTicketSnapshot(scope, one.ticketId))) return finishRequest(scope, one, null)
    const outcome = await callBackend(scope, one)
    if (outcome instanceof Error) await handleFailure(scope, one, outcome)
    else {
      tally.answered++
      await finishRequest(scope, one, { action: outcome })
    }
  }

  /** Returns the answer, or the error. */
  async function callBackend(scope: Scope, one: ClaimedBotRequest): Promise<ImmediateAction | null | Error> {
    const backend = backendsByName.get(one.asker)
    // A newer version of the server may have this backend: retry before the ticket goes to agents.
    if (!backend) return new Error(`unknown asker ${one.asker}`)
    if (one.fence > maxClaims) return new PermanentBotError('too many requests')
    const lost = new AbortController()
    const inTime = AbortSignal.timeout(backend.timeoutMs ?? defaultTimeoutMs)
    const signal = AbortSignal.any([shutdown.signal, lost.signal, inTime])
    const renews = setInterval(() => {
      renewBotRequest(scope, one, leaseMs)
        .then((ours) => ours || lost.abort(new Error('claimed by another process')))
        .catch((err) => log.warn({ err, ask: one.id }, 'a question was not renewed'))
    }, leaseMs / 3).unref()
    try {
      const [ticket] = await presentTickets(scope, [one.ticketId])
      const rulebook = await loadRulebook(scope)
      const line = rulebook.lines.get(ticket?.whatsappId ?? 0)
      if (!ticket || !line) return new PermanentBotError('the line is gone')
      const { id, about } = one
      return await raceAbort(
        signal,
        backend.answer({ id, input: about, ticket, rulebook: rulebook, line, scope, signal }),
      )
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      clearInterval(renews)
    }
  }

  async function handleFailure(scope: Scope, one: ClaimedBotRequest, error: Error): Promise<void> {
    // Aborted by our shutdown: another process retries at once.
    if (shutdown.signal.aborted) return void (await releaseBotRequest(scope, one, {}))
    tally[error instanceof PermanentBotError ? 'refused' : 'failed']++
    const failures = one.failures + 1
    const isLast =
      error instanceof PermanentBotError || failures >= (backendsByName.get(one.asker)?.maxAttempts ?? defaultTries)
    log.warn({ err: error, ask: one.id, asker: one.asker, failures, isLast }, 'nobody answered a bot')
    if (isLast)
      return finishRequest(scope, one, { failure: error.message, fallbackQueueId: await fallbackQueueFor(scope, one) })
    const afterMs = Math.max(retryDelayMs(failures), error instanceof RetryLaterError ? error.retryAfterMs : 0)
    await releaseBotRequest(scope, one, { afterMs, failures, error: error.message.slice(0, 500) })
    setTimeout(() => void poll(), afterMs + 1).unref()
  }

  const fallbackQueueFor = async (scope: Scope, { asker: backend, about }: ClaimedBotRequest): Promise<number | null> =>
    (await backendsByName.get(backend)?.findFallbackQueue?.(scope, about)) ?? null

  const pollTimer = setInterval(() => void poll(), pollMs)
  pollTimer.unref()
  return {
    tally,
    poll: poll,
    /** Resolves when no bot request is running. */
    async idle(): Promise<void> {
      await poll()
      while (running.size) await Promise.all(running.values())
    },
    async close(): Promise<void> {
      clearInterval(pollTimer)
      shutdown.abort(new Error('the house closes'))
      await claiming
      await Promise.all(running.values())
    },
  }
}
export type BotRequestRunner = ReturnType<typeof makeBotRequestRunner>

type RequestOutcome = { action: ImmediateAction | null } | { failure: string; fallbackQueueId: number | null } | null

/** Ends a request in one transaction with its consequences. Null: the backend was not called. */
function finishRequest(scope: Scope, one: ClaimedBotRequest, outcome: RequestOutcome): Promise<void> {
  return withStoredUploads(scope, filesOfOutcome(outcome), () =>
    scope.transaction((tx) => finishInTransaction(tx, one, outcome)),
  )
}

const filesOfOutcome = (outcome: RequestOutcome): Upload[] =>
  outcome && 'action' in outcome
    ? (outcome.action?.messages ?? []).flatMap((said) => (typeof said === 'string' ? [] : (said.file ?? [])))
    : []

async function finishInTransaction(tx: Scope, one: ClaimedBotRequest, outcome: RequestOutcome): Promise<void> {
  await lockTicket(tx, one.ticketId)
  const now = await loadTicketSnapshot(tx, one.ticketId)
  const lateReason = whyTooLate(one.seen, now)
  // The customer wrote again and no bot has handled that message: the answer must take it into account.
  if (lateReason === 'wrote-again' && now && !(await hasNewerBotRequest(tx, one))) {
    if (await releaseBotRequest(tx, one, { seen: now, failures: 0 })) await recordLateAnswer(tx, one, 'asked-anew')
    return tx.signal('ask')
  }
  // Another process has taken the request and will perform its answer.
  if (!(await deleteBotRequest(tx, one))) return
  if (lateReason) return recordLateAnswer(tx, one, lateReason)
  if (!outcome) return
  const ticket = await presentTicket(tx, one.ticketId)
  const action = 'failure' in outcome ? await handOverToPeople(tx, one, outcome) : outcome.action
  if (action) await performAction(tx, { ticket, pendingRating: null }, action)
  const step = action
    ? makeStep(action.bot ?? one.bot, action.why, action.with)
    : makeStep('asked', 'nothing-to-say', { asker: one.asker })
  await recordTicketEvent(tx, one.ticketId, 'bot', step)
}

/** Hands the ticket over to agents, with the reason, because a customer must not stay without a reaction. */
async function handOverToPeople(
  scope: Scope,
  one: ClaimedBotRequest,
  { failure, fallbackQueueId }: { failure: string; fallbackQueueId: number | null },
): Promise<ImmediateAction> {
  const { queueId, whatsappId } = one.seen
  const rulebook = await loadRulebook(scope)
  const line = rulebook.lines.get(whatsappId ?? 0)
  const error = failure.slice(0, 500)
  return {
    bot: 'asked',
    why: 'nobody-answered',
    with: { asker: one.asker, error },
    messages: [rulebook.botTexts.menu.toPerson],
    handsOver: true,
    queueId: queueId ?? fallbackQueueId ?? (line ? defaultQueueOf(line) : null),
  }
}
