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
  /** Parallel questions in this process, and per company: a slow company delays only itself. */
  maxParallel: number
  maxPerCompany: number
  /** A question of a dead process is taken over after this. */
  leaseMs: number
  /** Polling interval, because a notification may get lost. */
  pollMs: number
  /** The pause after this many failures. */
  retryDelayMs: (failures: number) => number
}
const defaultLimits: BotRequestLimits = {
  ...{ maxParallel: 16, maxPerCompany: 4, leaseMs: 30_000, pollMs: 5000 },
  retryDelayMs: (failures) => 1000 * 4 ** (failures - 1),
}
const defaultTimeoutMs = 30_000
const defaultTries = 3
/** A question that crashes the process each time is given up after this many tries. */
const maxClaims = 10

/**
 * Runs the questions of bots after the commit that wrote them. One at a time per ticket, in order. The answer is performed
 * in one transaction with the end of the question, so once, and only if the ticket is unchanged.
 */
export function makeBotRequestRunner(
  means: Deps,
  log: Log,
  askers: readonly BotBackend[],
  pace: Partial<BotRequestLimits> = {},
) {
  const {
    maxParallel: atOnce,
    maxPerCompany: ofOne,
    leaseMs,
    pollMs: lookMs,
    retryDelayMs: againMs,
  } = { ...defaultLimits, ...pace }
  const known = new Map(askers.map((asker) => [asker.name, asker]))
  const underWay = new Map<ClaimedBotRequest, Promise<void>>()
  const over = new AbortController()
  /** Outcomes since this process started. */
  const tally = { answered: 0, failed: 0, refused: 0 }
  let taking: Promise<void> | null = null
  let again = false

  /** Companies that have reached their limit. */
  function busy(): number[] {
    const companies = Map.groupBy(underWay.keys(), (one) => one.companyId)
    return [...companies].filter(([, all]) => all.length >= ofOne).map(([id]) => id)
  }

  async function fill(): Promise<void> {
    do {
      again = false
      while (underWay.size < atOnce && !over.signal.aborted) {
        const one = await claimBotRequest(means, busy(), leaseMs)
        if (!one) break
        underWay.set(
          one,
          runWithTrace(one.trace, () => handle(one)),
        )
      }
    } while (again && !over.signal.aborted)
  }
  function look(): Promise<void> {
    again = true
    taking ??= fill()
      .catch((err) => log.warn({ err }, 'what bots ask cannot be looked at'))
      .finally(() => {
        taking = null
      })
    return taking
  }

  async function handle(one: ClaimedBotRequest): Promise<void> {
    const scope = new Scope(means, { companyId: one.companyId })
    try {
      await askOne(scope, one)
    } catch (err) {
      // Mostly a lost database: the question is taken up again when its lease expires.
      log.error({ err, ask: one.id, asker: one.asker }, 'a question was not finished')
    } finally {
      underWay.delete(one)
      if (!over.signal.aborted) void look()
    }
  }

  async function askOne(scope: Scope, one: ClaimedBotRequest): Promise<void> {
    // Of several in a row only the last is worth asking.
    if (whyTooLate(one.seen, await loadTicketSnapshot(scope, one.ticketId))) return finishRequest(scope, one, null)
    const outcome = await answerTo(scope, one)
    if (outcome instanceof Error) await failed(scope, one, outcome)
    else {
      tally.answered++
      await finishRequest(scope, one, { action: outcome })
    }
  }

  /** The answer, or the error. */
  async function answerTo(scope: Scope, one: ClaimedBotRequest): Promise<ImmediateAction | null | Error> {
    const asker = known.get(one.asker)
    // A newer version may have this asker: retry before it goes to agents.
    if (!asker) return new Error(`nobody here is called ${one.asker}`)
    if (one.fence > maxClaims) return new PermanentBotError('asked too often')
    const lost = new AbortController()
    const inTime = AbortSignal.timeout(asker.timeoutMs ?? defaultTimeoutMs)
    const signal = AbortSignal.any([over.signal, lost.signal, inTime])
    const renews = setInterval(() => {
      renewBotRequest(scope, one, leaseMs)
        .then((ours) => ours || lost.abort(new Error('taken up by another process')))
        .catch((err) => log.warn({ err, ask: one.id }, 'a question was not renewed'))
    }, leaseMs / 3).unref()
    try {
      const [ticket] = await presentTickets(scope, [one.ticketId])
      const book = await loadRulebook(scope)
      const line = book.lines.get(ticket?.whatsappId ?? 0)
      if (!ticket || !line) return new PermanentBotError('the line is gone')
      const { id, about } = one
      return await raceAbort(signal, asker.answer({ id, input: about, ticket, rulebook: book, line, scope, signal }))
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      clearInterval(renews)
    }
  }

  async function failed(scope: Scope, one: ClaimedBotRequest, error: Error): Promise<void> {
    // Aborted by our shutdown: another process asks again at once.
    if (over.signal.aborted) return void (await releaseBotRequest(scope, one, {}))
    tally[error instanceof PermanentBotError ? 'refused' : 'failed']++
    const failures = one.failures + 1
    const isLast = error instanceof PermanentBotError || failures >= (known.get(one.asker)?.maxAttempts ?? defaultTries)
    log.warn({ err: error, ask: one.id, asker: one.asker, failures, isLast }, 'nobody answered a bot')
    if (isLast) return finishRequest(scope, one, { failure: error.message, fallbackQueueId: await homeFor(scope, one) })
    const afterMs = Math.max(againMs(failures), error instanceof RetryLaterError ? error.retryAfterMs : 0)
    await releaseBotRequest(scope, one, { afterMs, failures, error: error.message.slice(0, 500) })
    setTimeout(() => void look(), afterMs + 1).unref()
  }

  const homeFor = async (scope: Scope, { asker, about }: ClaimedBotRequest): Promise<number | null> =>
    (await known.get(asker)?.findFallbackQueue?.(scope, about)) ?? null

  const looks = setInterval(() => void look(), lookMs)
  looks.unref()
  return {
    tally,
    poll: look,
    /** Resolves when nothing is running. */
    async idle(): Promise<void> {
      await look()
      while (underWay.size) await Promise.all(underWay.values())
    },
    async close(): Promise<void> {
      clearInterval(looks)
      over.abort(new Error('the house closes'))
      await taking
      await Promise.all(underWay.values())
    },
  }
}
export type BotRequestRunner = ReturnType<typeof makeBotRequestRunner>

type RequestOutcome = { action: ImmediateAction | null } | { failure: string; fallbackQueueId: number | null } | null

/** Ends a question in one transaction with its consequences. Null: it was not asked at all. */
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
  const late = whyTooLate(one.seen, now)
  // The customer wrote again and nothing has handled it: the answer must take that into account.
  if (late === 'wrote-again' && now && !(await hasNewerBotRequest(tx, one))) {
    if (await releaseBotRequest(tx, one, { seen: now, failures: 0 })) await recordLateAnswer(tx, one, 'asked-anew')
    return tx.signal('ask')
  }
  // Another process has taken the question: the answer is theirs to give.
  if (!(await deleteBotRequest(tx, one))) return
  if (late) return recordLateAnswer(tx, one, late)
  if (!outcome) return
  const ticket = await presentTicket(tx, one.ticketId)
  const act = 'failure' in outcome ? await handOverToPeople(tx, one, outcome) : outcome.action
  if (act) await performAction(tx, { ticket, pendingRating: null }, act)
  const told = act
    ? makeStep(act.bot ?? one.bot, act.why, act.with)
    : makeStep('asked', 'nothing-to-say', { asker: one.asker })
  await recordTicketEvent(tx, one.ticketId, 'bot', told)
}

/** A customer must get a reaction: the ticket goes to agents, with the reason. */
async function handOverToPeople(
  scope: Scope,
  one: ClaimedBotRequest,
  { failure, fallbackQueueId: home }: { failure: string; fallbackQueueId: number | null },
): Promise<ImmediateAction> {
  const { queueId, whatsappId } = one.seen
  const book = await loadRulebook(scope)
  const line = book.lines.get(whatsappId ?? 0)
  const error = failure.slice(0, 500)
  return {
    bot: 'asked',
    why: 'nobody-answered',
    with: { asker: one.asker, error },
    messages: [book.botTexts.menu.toPerson],
    handsOver: true,
    queueId: queueId ?? home ?? (line ? defaultQueueOf(line) : null),
  }
}
