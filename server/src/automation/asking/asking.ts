import { note, step } from '../../desk/tickets/track.ts'
import { holdTicket, presentTicket, presentTickets } from '../../desk/tickets/view.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { putAhead } from '../../kernel/files/media.ts'
import type { Log } from '../../kernel/log.ts'
import { traced } from '../../kernel/trace.ts'
import type { Act } from '../bots/bot.ts'
import { perform } from '../bots/perform.ts'
import { homeOf, rulebookOf } from '../rulebook.ts'
import { unless } from '../unless.ts'
import { type Asker, AskLater, AskRefusal } from './asker.ts'
import { endAsk, hasLater, noteLate, releaseAsk, renewAsk, type Taken, takeAsk } from './asks.ts'
import { lateness, seenNow } from './seen.ts'

export type AskPace = {
  /** So many at once in this process, and of one company: whoever waits long holds up nobody but their own. */
  atOnce: number
  ofOne: number
  /** Who dies while asking is replaced after this. */
  leaseMs: number
  /** A word may get lost on its way: this often we look ourselves. */
  lookMs: number
  /** The pause after so many failures. */
  againMs: (failures: number) => number
}
const usual: AskPace = {
  ...{ atOnce: 16, ofOne: 4, leaseMs: 30_000, lookMs: 5000 },
  againMs: (failures) => 1000 * 4 ** (failures - 1),
}
const usualPatienceMs = 30_000
const usualTries = 3
/** One that ends the process each time it is asked is not asked for ever. */
const mostTakes = 10

/**
 * Asks for bots what only others know, after the commit that wrote it down. One at a time for each ticket, in order; the
 * answer is performed in one transaction with the end of the question, so once, and only if the ticket is as it was.
 */
export function makeAsking(means: Means, log: Log, askers: readonly Asker[], pace: Partial<AskPace> = {}) {
  const { atOnce, ofOne, leaseMs, lookMs, againMs } = { ...usual, ...pace }
  const known = new Map(askers.map((asker) => [asker.name, asker]))
  const underWay = new Map<Taken, Promise<void>>()
  const over = new AbortController()
  /** What became of what was asked, since this process began. */
  const tally = { answered: 0, failed: 0, refused: 0 }
  let taking: Promise<void> | null = null
  let again = false

  /** Companies that have enough of it. */
  function busy(): number[] {
    const companies = Map.groupBy(underWay.keys(), (one) => one.companyId)
    return [...companies].filter(([, all]) => all.length >= ofOne).map(([id]) => id)
  }

  async function fill(): Promise<void> {
    do {
      again = false
      while (underWay.size < atOnce && !over.signal.aborted) {
        const one = await takeAsk(means, busy(), leaseMs)
        if (!one) break
        underWay.set(
          one,
          traced(one.trace, () => handle(one)),
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

  async function handle(one: Taken): Promise<void> {
    const scope = new Scope(means, { companyId: one.companyId })
    try {
      await askOne(scope, one)
    } catch (err) {
      // The database is away, mostly: it is taken up again when its time is over.
      log.error({ err, ask: one.id, asker: one.asker }, 'a question was not finished')
    } finally {
      underWay.delete(one)
      if (!over.signal.aborted) void look()
    }
  }

  async function askOne(scope: Scope, one: Taken): Promise<void> {
    // Of several in a row only the last is worth asking.
    if (lateness(one.seen, await seenNow(scope, one.ticketId))) return finish(scope, one, null)
    const outcome = await answerTo(scope, one)
    if (outcome instanceof Error) await failed(scope, one, outcome)
    else {
      tally.answered++
      await finish(scope, one, { act: outcome })
    }
  }

  /** What they say; why they say nothing. */
  async function answerTo(scope: Scope, one: Taken): Promise<Act | null | Error> {
    const asker = known.get(one.asker)
    // A newer version may know it: it is tried again before people are troubled.
    if (!asker) return new Error(`nobody here is called ${one.asker}`)
    if (one.fence > mostTakes) return new AskRefusal('asked too often')
    const lost = new AbortController()
    const inTime = AbortSignal.timeout(asker.patienceMs ?? usualPatienceMs)
    const signal = AbortSignal.any([over.signal, lost.signal, inTime])
    const renews = setInterval(() => {
      renewAsk(scope, one, leaseMs)
        .then((ours) => ours || lost.abort(new Error('taken up by another process')))
        .catch((err) => log.warn({ err, ask: one.id }, 'a question was not renewed'))
    }, leaseMs / 3).unref()
    try {
      const [ticket] = await presentTickets(scope, [one.ticketId])
      const book = await rulebookOf(scope)
      const line = book.lines.get(ticket?.whatsappId ?? 0)
      if (!ticket || !line) return new AskRefusal('the line is gone')
      const { id, about } = one
      return await unless(signal, asker.answer({ id, about, ticket, book, line, scope, signal }))
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      clearInterval(renews)
    }
  }

  async function failed(scope: Scope, one: Taken, error: Error): Promise<void> {
    // Not its fault: another process asks again at once.
    if (over.signal.aborted) return void (await releaseAsk(scope, one, {}))
    tally[error instanceof AskRefusal ? 'refused' : 'failed']++
    const failures = one.failures + 1
    const isLast = error instanceof AskRefusal || failures >= (known.get(one.asker)?.tries ?? usualTries)
    log.warn({ err: error, ask: one.id, asker: one.asker, failures, isLast }, 'nobody answered a bot')
    if (isLast) return finish(scope, one, { failure: error.message, home: await homeFor(scope, one) })
    const afterMs = Math.max(againMs(failures), error instanceof AskLater ? error.afterMs : 0)
    await releaseAsk(scope, one, { afterMs, failures, error: error.message.slice(0, 500) })
    setTimeout(() => void look(), afterMs + 1).unref()
  }

  const homeFor = async (scope: Scope, { asker, about }: Taken): Promise<number | null> =>
    (await known.get(asker)?.home?.(scope, about)) ?? null

  const looks = setInterval(() => void look(), lookMs)
  looks.unref()
  return {
    tally,
    look,
    /** Until nothing is under way. */
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
export type Asking = ReturnType<typeof makeAsking>

type Outcome = { act: Act | null } | { failure: string; home: number | null } | null

/** The end of a question, in one transaction with what follows from it. Null: it was not even asked. */
function finish(scope: Scope, one: Taken, outcome: Outcome): Promise<void> {
  return putAhead(scope, filesIn(outcome), () => scope.transaction((tx) => finished(tx, one, outcome)))
}

const filesIn = (outcome: Outcome): Upload[] =>
  outcome && 'act' in outcome
    ? (outcome.act?.say ?? []).flatMap((said) => (typeof said === 'string' ? [] : (said.file ?? [])))
    : []

async function finished(tx: Scope, one: Taken, outcome: Outcome): Promise<void> {
  await holdTicket(tx, one.ticketId)
  const now = await seenNow(tx, one.ticketId)
  const late = lateness(one.seen, now)
  // They wrote once more, and nobody has made anything of it: what they are told must know of that too.
  if (late === 'wrote-again' && now && !(await hasLater(tx, one))) {
    if (await releaseAsk(tx, one, { seen: now, failures: 0 })) await noteLate(tx, one, 'asked-anew')
    return tx.signal('ask')
  }
  // Another process has taken it up meanwhile: the answer is theirs to give.
  if (!(await endAsk(tx, one))) return
  if (late) return noteLate(tx, one, late)
  if (!outcome) return
  const ticket = await presentTicket(tx, one.ticketId)
  const act = 'failure' in outcome ? await toPeople(tx, one, outcome) : outcome.act
  if (act) await perform(tx, { ticket, asked: null }, act)
  const told = act ? step(act.bot ?? one.bot, act.why, act.with) : step('asked', 'nothing-to-say', { asker: one.asker })
  await note(tx, one.ticketId, 'bot', told)
}

/** A customer is never left with silence: the ticket waits for people, and says why. */
async function toPeople(
  scope: Scope,
  one: Taken,
  { failure, home }: { failure: string; home: number | null },
): Promise<Act> {
  const { queueId, whatsappId } = one.seen
  const book = await rulebookOf(scope)
  const line = book.lines.get(whatsappId ?? 0)
  const error = failure.slice(0, 500)
  return {
    bot: 'asked',
    why: 'nobody-answered',
    with: { asker: one.asker, error },
    say: [book.wording.menu.toPerson],
    leaves: true,
    queueId: queueId ?? home ?? (line ? homeOf(line) : null),
  }
}
