import { setTimeout as pause } from 'node:timers/promises'
import { lineTraits } from '@recado/contract/line-traits'
import type { PreparedStatement } from '../../kernel/data/prepared-statement.ts'
import { type Deps, markPossiblyUnpublished } from '../../kernel/data/scope.ts'
import { isConnectionLost, isTransientError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { journalTraceId, runWithTrace } from '../../kernel/trace.ts'
import { countForBatch } from '../../lines/event-limits.ts'
import type { InboundEvent, LineRow, RowsWithEvents } from '../../lines/line.ts'
import type { Bot } from '../bots/bot.ts'
import { handleAcks } from './acks.ts'
import { makeAwaitedMessages } from './awaited-messages.ts'
import { recordDuplicates } from './duplicates.ts'
import { type FindSender, lookUpSenders } from './fast-path.ts'
import { handleEvent, processLateArrival, setEventAside } from './handle.ts'
import { handleInBatch } from './handle-in-batch.ts'
import { type JournalEntry, LostLeaseError, readUnfinished, writeToJournal } from './journal.ts'
import { publishFastPathMessages } from './publish-fast-path.ts'

/** More than this waiting in memory, and the line is made to wait: it may not forget what we have not written down. */
const maxQueuedEvents = 4000
const batchSize = 256
/**
 * An event that fails is tried again, since rivals may have been in its way; one that always fails is set aside with
 * its reason within half a second, for the rest of the line waits behind it.
 */
const maxTries = 3
const retryDelayMs = (tries: number) => 20 * 4 ** tries
/** While the database is away nobody is to blame: what waits is tried again for as long as it takes. */
const outageRetryMs = 250

type QueuedBatch = {
  events: InboundEvent[]
  along: RowsWithEvents | undefined
  done: () => void
  failed: (error: unknown) => void
}

export type LaneTally = { plain: number; repeated: number; handled: number; aside: number }
export const makeLaneTally = (): LaneTally => ({ plain: 0, repeated: 0, handled: 0, aside: 0 })

/**
 * One line's way in. Batches form by themselves: while one is being written the next gathers and is looked up, and an
 * idle line waits for nothing. Plain messages are finished in the statement that journals them; all else is handled
 * after it in the order of the journal, and whoever writes into a chat that still waits for that waits behind it.
 */
export function makeLane(means: Deps, row: LineRow, log: Log, bots?: readonly Bot[], tally = makeLaneTally()) {
  const toWrite: QueuedBatch[] = []
  const toHandle: JournalEntry[] = []
  /** How much of each chat waits to be handled. */
  const behind = new Map<string, number>()
  const awaited = makeAwaitedMessages(means, row)
  let gathering = false
  let writing: Promise<void> = Promise.resolve()
  /** How many batches did not come into the journal, and why the last one did not; `now`: who told it may not know yet. */
  const missed = { batches: 0, why: undefined as unknown, now: false }
  let replaying = false
  /** A batch may be written down of which we were not told so. What comes again is known then, and nobody has it in hand. */
  let inDoubt = false
  /** It has come again, or another has: all that is written down and not finished comes before what is in hand. */
  let mustReplay = false
  let handling: Promise<void> | null = null
  let noting: Promise<void> = Promise.resolve()
  let closed = false

  async function gather(): Promise<void> {
    if (gathering) return
    gathering = true
    while (toWrite.length && !closed) {
      if (toHandle.length > maxQueuedEvents) await handling
      const batch = toWrite.splice(
        0,
        countForBatch(toWrite, maxQueuedEvents, (one) => one.events),
      )
      const { batches } = missed
      const events = batch.flatMap((w) => w.events)
      // Who cannot be looked up now is looked up when it is their turn.
      const senders = await lookUpSenders(means, row, events).catch(() => () => null)
      await writing
      if (missed.batches === batches) writing = write(batch, events, senders)
      else refuse(batch)
    }
    await writing
    gathering = false
    if (toWrite.length && !closed) void gather()
  }

  /**
   * What came after something that is not written down must not be written before it: the line tells all of it again, in
   * its order. What a linked phone heard could not even be opened again, once the keys of what came later are kept.
   */
  function refuse(batch: QueuedBatch[]): void {
    for (const { failed } of batch) failed(missed.why)
  }

  async function write(batch: QueuedBatch[], events: InboundEvent[], senders: FindSender): Promise<void> {
    try {
      const { rest, plain, written, repeated } = await journal(events, plainOnly(senders), statementsAlongside(batch))
      if (inDoubt) mustReplay = true
      inDoubt = false
      for (const { event } of rest) behind.set(event.chat, (behind.get(event.chat) ?? 0) + 1)
      toHandle.push(...rest)
      tally.plain += plain.length
      tally.repeated += repeated.length
      for (const { done } of batch) done()
      if (log.isLevelEnabled('debug'))
        for (const one of [...plain, ...rest])
          log.debug(
            { trace: journalTraceId(one), line: row.id, event: one.event.id, kind: one.event.kind },
            'journalled',
          )
      if (repeated.length && lineTraits[row.provider].test) noteRepeated(repeated)
      if (plain.length)
        publishFastPathMessages(means, row, plain, written).catch((err) => log.error({ err }, 'news was not told'))
    } catch (error) {
      if (isConnectionLost(error)) {
        inDoubt = true
        // It comes again, and is known then: who is to see what was plain hears nothing of it but this.
        markPossiblyUnpublished(means, row.companyId, error)
      }
      missed.batches++
      missed.why = error
      missed.now = true
      setImmediate(() => {
        missed.now = false
      })
      refuse([...batch, ...toWrite.splice(0)])
    }
    if (toHandle.length || mustReplay) handling ??= work()
  }

  /** People try with the test phone what we do about repetitions; real ones repeat too often to tell. */
  function noteRepeated(events: InboundEvent[]): void {
    noting = noting
      .then(() => handling)
      .then(() => (closed ? undefined : recordDuplicates(means, row, events)))
      .catch((err) => log.warn({ err }, 'a repetition was not noted'))
  }

  /** Once a chat has something that is not plain, all after it waits. */
  function plainOnly(senders: FindSender): FindSender {
    const held = new Set<string>()
    return (event) => {
      const isOvertaken = replaying || inDoubt || mustReplay
      const waits = isOvertaken || behind.has(event.chat) || held.has(event.chat) || awaited.has(event)
      const sender = waits ? null : senders(event)
      if (!sender) held.add(event.chat)
      return sender
    }
  }

  /** What makes the quick way fail, whatever it is, must not keep anything out of the journal. */
  async function journal(
    events: InboundEvent[],
    plain: FindSender,
    along: PreparedStatement[],
  ): ReturnType<typeof writeToJournal> {
    try {
      return await writeToJournal(means, row, events, plain, along)
    } catch (err) {
      if (err instanceof LostLeaseError || isTransientError(err)) throw err
      log.warn({ err, line: row.id }, 'a batch failed; its events are handled one by one')
      return writeToJournal(means, row, events, undefined, along)
    }
  }

  async function work(first?: () => Promise<void>): Promise<void> {
    try {
      await first?.()
      while ((toHandle.length || mustReplay) && !closed) {
        if (mustReplay) {
          await replay().catch(async (err) => {
            log.warn({ err, line: row.id }, 'the journal cannot be read')
            await pause(outageRetryMs)
            mustReplay = true
          })
          continue
        }
        const batch = toHandle.splice(
          0,
          countForBatch(toHandle, batchSize, (one) => one.event),
        )
        await handleBatch(batch)
        for (const { event } of batch) forget(event.chat)
      }
    } finally {
      handling = null
    }
  }

  /** Before anything new: what was written down and not finished, by an earlier process mostly. */
  async function replay(): Promise<void> {
    replaying = true
    mustReplay = false
    try {
      await awaited.load()
      for (let after = 0; !closed; ) {
        const entries = await readUnfinished(means, row, after, batchSize)
        if (!entries.length) return
        await handleBatch(entries)
        after = entries.at(-1)?.journalId ?? after
      }
    } finally {
      replaying = false
    }
  }

  function forget(chat: string): void {
    const left = (behind.get(chat) ?? 0) - 1
    if (left > 0) behind.set(chat, left)
    else behind.delete(chat)
  }

  async function handleBatch(batch: JournalEntry[]): Promise<void> {
    let rest = batch
    try {
      rest = await handleAcks(means, row, batch)
      rest = await handleInBatch(means, row, rest, { isAwaited: awaited.has, bots })
    } catch (err) {
      const traces = batch.map(journalTraceId)
      log.warn({ err, line: row.id, traces }, 'a batch failed; its events are tried one by one')
    }
    tally.handled += batch.length - rest.length
    for (const entry of rest) if (!closed) await persist(entry)
  }

  const persist = (entry: JournalEntry): Promise<void> => runWithTrace(journalTraceId(entry), () => persisted(entry))
  /** One event, until it is done, set aside, or the house closes. */
  async function persisted(entry: JournalEntry): Promise<void> {
    for (let tries = 1; !closed; ) {
      try {
        await settle(entry)
        tally.handled++
        log.debug({ line: row.id, kind: entry.event.kind }, 'handled')
        return
      } catch (err) {
        const passing = isTransientError(err)
        // Perhaps it is done, and waits for another: that is read again, too.
        if (isConnectionLost(err)) mustReplay = true
        log.error({ err, journal: entry.journalId, tries, passing }, 'an event could not be handled')
        if (!passing && tries >= maxTries && (await isSetAside(entry, err))) {
          tally.aside++
          return
        }
        await pause(passing ? outageRetryMs : retryDelayMs(tries))
        if (!passing) tries++
      }
    }
  }
  async function settle(entry: JournalEntry): Promise<void> {
    const isAwaited = awaited.has(entry.event)
    const waitsFor = await handleEvent(means, row, entry, { isAwaited, bots })
    if (isAwaited) awaited.forget(entry.event.id)
    if (waitsFor === null) return
    awaited.add(waitsFor)
    if (await processLateArrival(means, row, waitsFor)) awaited.forget(waitsFor)
  }
  const isSetAside = (entry: JournalEntry, why: unknown) =>
    setEventAside(means, row, entry, why).then(
      () => true,
      () => false,
    )

  return {
    hear: (events: InboundEvent[], along?: RowsWithEvents) =>
      new Promise<void>((done, failed) => {
        if (closed) return failed(new LostLeaseError())
        if (missed.now) return failed(missed.why)
        toWrite.push({ events, along, done, failed })
        void gather()
      }),
    backlog: (): number => toHandle.length + toWrite.reduce((sum, { events }) => sum + events.length, 0),
    replay,
    /** The same for what somebody wrote down who died at once: while nothing else is to do. */
    async look(): Promise<void> {
      const again = () => replay().catch((err) => log.warn({ err, line: row.id }, 'the journal cannot be read'))
      if (!closed && !gathering && !handling) handling = work(again)
      await handling
    },
    async idle(): Promise<void> {
      while ((handling || gathering) && !closed) await (handling ?? new Promise((resolve) => setImmediate(resolve)))
      await noting
    },
    /** What is not written down yet stays with the line: it is told so. */
    async close(): Promise<void> {
      closed = true
      for (const { failed } of toWrite.splice(0)) failed(new LostLeaseError())
      await handling
      await noting
    },
  }
}

/** What the line keeps of its own together with a batch: one statement for each kind of it. */
function statementsAlongside(batch: QueuedBatch[]): PreparedStatement[] {
  const given = batch.flatMap(({ along }) => along ?? [])
  const kinds = Map.groupBy(given, ({ statement }) => statement)
  return [...kinds].map(([statement, all]) => statement(all.flatMap(({ rows }) => rows)))
}
