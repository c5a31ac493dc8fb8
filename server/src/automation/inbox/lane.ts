import { setTimeout as pause } from 'node:timers/promises'
import { lineTraits } from '@recado/contract/line-traits'
import type { PreparedStatement } from '../../kernel/data/prepared-statement.ts'
import { type Deps, markPossiblyUnpublished } from '../../kernel/data/scope.ts'
import { isConnectionLost, isDuplicateKey, isTransientError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { journalTraceId, runWithTrace } from '../../kernel/trace.ts'
import { countForBatch } from '../../lines/event-limits.ts'
import type { InboundEvent, LineRow, RowsWithEvents } from '../../lines/line.ts'
import type { Bot } from '../bot-actions/bot.ts'
import { handleAcks } from './acks.ts'
import { makeAwaitedMessages } from './awaited-messages.ts'
import { recordDuplicates } from './duplicates.ts'
import { type FindSender, lookUpSenders, noSenders, type SenderLookup } from './fast-path.ts'
import { handleEvent, processLateArrival, setEventAside } from './handle.ts'
import { handleInBatch } from './handle-in-batch.ts'
import { type JournalEntry, LostLeaseError, readUnfinished, writeToJournal } from './journal.ts'
import { publishFastPathMessages } from './publish-fast-path.ts'

/** Backpressure: with more events than this in memory, the line has to wait and keep events that are not journaled yet. */
const maxQueuedEvents = 4000
const batchSize = 256
/**
 * A failed event is retried, because concurrent transactions may have blocked it. An event that always fails is
 * dead-lettered with its reason within half a second, because the rest of the line waits behind it.
 */
const maxTries = 3
const retryDelayMs = (tries: number) => 20 * 4 ** tries
/** While the database is unreachable, the error is not the event's fault: retry without a limit. */
const outageRetryMs = 250

/** The primary key of a person's identities: two lines may hear from the same new person at once. */
const contactIdentitiesKey = 'contactIdentities_pkey'

type QueuedBatch = {
  events: InboundEvent[]
  extraRows: RowsWithEvents | undefined
  resolve: () => void
  reject: (error: unknown) => void
}
/** An unhandled event, and what it must keep its order in: its chat, and its person, who may write from two chats. */
type OrderedEntry = JournalEntry & { orders: string[] }
const ordersOf = ({ contactIdOf }: SenderLookup, event: InboundEvent): string[] => {
  const contactId = contactIdOf(event)
  return contactId === null ? [`chat ${event.chat}`] : [`chat ${event.chat}`, `contact ${contactId}`]
}

export type LaneTally = { plain: number; repeated: number; handled: number; aside: number }
export const makeLaneTally = (): LaneTally => ({ plain: 0, repeated: 0, handled: 0, aside: 0 })

/**
 * The inbound side of one line. While one batch is being written, the next batch collects events and looks up their
 * senders; on an idle line an event is written at once. Messages of the fast path are finished in the statement that
 * journals them; all others are handled after it in journal order, and messages of a chat or a person with unhandled
 * events wait behind those events.
 */
export function makeLane(deps: Deps, row: LineRow, log: Log, bots?: readonly Bot[], tally = makeLaneTally()) {
  const toWrite: QueuedBatch[] = []
  const toHandle: OrderedEntry[] = []
  /** Unhandled events per chat and per person. */
  const unhandled = new Map<string, number>()
  const awaited = makeAwaitedMessages(deps, row)
  let isGathering = false
  let writing: Promise<void> = Promise.resolve()
  /** Number of batches that were not journaled, and the last error; `now`: the line may not have received the error yet. */
  const unjournaled = { batches: 0, why: undefined as unknown, now: false }
  let isReplaying = false
  /**
   * Whether a batch may have been committed without confirmation. When its events are delivered again, they count as
   * duplicates, and nothing in memory handles them.
   */
  let inDoubt = false
  /**
   * Whether events were delivered after the unconfirmed commit: then all unfinished entries are replayed before the
   * entries in memory.
   */
  let mustReplay = false
  let handling: Promise<void> | null = null
  let recordingDuplicates: Promise<void> = Promise.resolve()
  let isClosed = false

  async function gather(): Promise<void> {
    if (isGathering) return
    isGathering = true
    while (toWrite.length && !isClosed) {
      if (toHandle.length > maxQueuedEvents) await handling
      const batch = toWrite.splice(
        0,
        countForBatch(toWrite, maxQueuedEvents, (one) => one.events),
      )
      const { batches } = unjournaled
      const events = batch.flatMap((w) => w.events)
      // If the lookup fails, senders are looked up when their events are handled.
      const senders = await lookUpSenders(deps, row, events).catch(() => noSenders)
      await writing
      if (unjournaled.batches === batches) writing = write(batch, events, senders)
      else rejectAll(batch)
    }
    await writing
    isGathering = false
    if (toWrite.length && !isClosed) void gather()
  }

  /**
   * Events after an event that was not journaled must not be journaled before it: the line delivers all of them again, in
   * order. A linked phone could not even decrypt the earlier events once the keys of later events are stored.
   */
  function rejectAll(batch: QueuedBatch[]): void {
    for (const { reject: failed } of batch) failed(unjournaled.why)
  }

  async function write(batch: QueuedBatch[], events: InboundEvent[], senders: SenderLookup): Promise<void> {
    try {
      const {
        unfinished: rest,
        plain,
        written,
        duplicates: repeated,
      } = await journal(events, fastPathOnly(senders), statementsAlongside(batch))
      if (inDoubt) mustReplay = true
      inDoubt = false
      for (const entry of rest) {
        const orders = ordersOf(senders, entry.event)
        for (const order of orders) unhandled.set(order, (unhandled.get(order) ?? 0) + 1)
        toHandle.push({ ...entry, orders })
      }
      tally.plain += plain.length
      tally.repeated += repeated.length
      for (const { resolve: done } of batch) done()
      if (log.isLevelEnabled('debug'))
        for (const one of [...plain, ...rest])
          log.debug(
            { trace: journalTraceId(one), line: row.id, event: one.event.id, kind: one.event.kind },
            'journalled',
          )
      if (repeated.length && lineTraits[row.provider].test) recordRepeated(repeated)
      if (plain.length)
        publishFastPathMessages(deps, row, plain, written).catch((err) =>
          log.error({ err }, 'could not publish an update'),
        )
    } catch (error) {
      if (isConnectionLost(error)) {
        inDoubt = true
        // Makes browsers reload: a redelivered message counts as a duplicate, so a plain message would never be
        // published.
        markPossiblyUnpublished(deps, row.companyId, error)
      }
      unjournaled.batches++
      unjournaled.why = error
      unjournaled.now = true
      setImmediate(() => {
        unjournaled.now = false
      })
      rejectAll([...batch, ...toWrite.splice(0)])
    }
    if (toHandle.length || mustReplay) handling ??= work()
  }

  /**
   * Records duplicates only for the sandbox phone, which shows how they are handled; real lines repeat events too
   * often.
   */
  function recordRepeated(events: InboundEvent[]): void {
    recordingDuplicates = recordingDuplicates
      .then(() => handling)
      .then(() => (isClosed ? undefined : recordDuplicates(deps, row, events)))
      .catch((err) => log.warn({ err }, 'could not record a duplicate'))
  }

  /**
   * Lets only messages pass that can take the fast path: once a chat or a person has another event, all later events of
   * both wait.
   */
  function fastPathOnly(senders: SenderLookup): FindSender {
    const held = new Set<string>()
    return (event) => {
      const orders = ordersOf(senders, event)
      const isOvertaken = isReplaying || inDoubt || mustReplay
      const waits = isOvertaken || awaited.has(event) || orders.some((order) => unhandled.has(order) || held.has(order))
      const sender = waits ? null : senders.findSender(event)
      if (!sender) for (const order of orders) held.add(order)
      return sender
    }
  }

  /**
   * Journals the events even if the fast path fails: no failure of the fast path may keep an event out of the journal.
   */
  async function journal(
    events: InboundEvent[],
    plain: FindSender,
    along: PreparedStatement[],
  ): ReturnType<typeof writeToJournal> {
    try {
      return await writeToJournal(deps, row, events, plain, along)
    } catch (err) {
      if (err instanceof LostLeaseError || isTransientError(err)) throw err
      log.warn({ err, line: row.id }, 'a batch failed; its events are handled one by one')
      return writeToJournal(deps, row, events, undefined, along)
    }
  }

  async function work(first?: () => Promise<void>): Promise<void> {
    try {
      await first?.()
      while ((toHandle.length || mustReplay) && !isClosed) {
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
        for (const { orders } of batch) for (const order of orders) markHandled(order)
      }
    } finally {
      handling = null
    }
  }

  /** Handles unfinished entries, usually of an earlier process, before any new event. */
  async function replay(): Promise<void> {
    isReplaying = true
    mustReplay = false
    try {
      await awaited.load()
      for (let after = 0; !isClosed; ) {
        const entries = await readUnfinished(deps, row, after, batchSize)
        if (!entries.length) return
        await handleBatch(entries)
        after = entries.at(-1)?.journalId ?? after
      }
    } finally {
      isReplaying = false
    }
  }

  function markHandled(order: string): void {
    const left = (unhandled.get(order) ?? 0) - 1
    if (left > 0) unhandled.set(order, left)
    else unhandled.delete(order)
  }

  async function handleBatch(batch: JournalEntry[]): Promise<void> {
    let rest = batch
    try {
      rest = await handleAcks(deps, row, batch)
      rest = await handleKnownFirst(rest)
    } catch (err) {
      const traces = batch.map(journalTraceId)
      log.warn({ err, line: row.id, traces }, 'a batch failed; its events are tried one by one')
    }
    tally.handled += batch.length - rest.length
    for (const entry of rest) if (!isClosed) await retryUntilHandled(entry)
  }

  /** If another line stored one of these new people first, the batch is run again and finds them. */
  async function handleKnownFirst(entries: JournalEntry[]): Promise<JournalEntry[]> {
    const handle = () => handleInBatch(deps, row, entries, { isAwaited: awaited.has, bots })
    return handle().catch((error) => {
      if (!isDuplicateKey(error, contactIdentitiesKey)) throw error
      return handle()
    })
  }

  const retryUntilHandled = (entry: JournalEntry): Promise<void> =>
    runWithTrace(journalTraceId(entry), () => retryInTrace(entry))
  /** Retries one event until it is done, dead-lettered, or the server closes. */
  async function retryInTrace(entry: JournalEntry): Promise<void> {
    for (let tries = 1; !isClosed; ) {
      try {
        await handleOne(entry)
        tally.handled++
        log.debug({ line: row.id, kind: entry.event.kind }, 'handled')
        return
      } catch (err) {
        const passing = isTransientError(err)
        // The event may be committed as waiting for another event, so the journal is read again.
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
  async function handleOne(entry: JournalEntry): Promise<void> {
    const isAwaited = awaited.has(entry.event)
    const waitsFor = await handleEvent(deps, row, entry, { isAwaited, bots })
    if (isAwaited) awaited.remove(entry.event.id)
    if (waitsFor === null) return
    awaited.add(waitsFor)
    if (await processLateArrival(deps, row, waitsFor)) awaited.remove(waitsFor)
  }
  const isSetAside = (entry: JournalEntry, why: unknown) =>
    setEventAside(deps, row, entry, why).then(
      () => true,
      () => false,
    )

  return {
    receive: (events: InboundEvent[], along?: RowsWithEvents) =>
      new Promise<void>((done, failed) => {
        if (isClosed) return failed(new LostLeaseError())
        if (unjournaled.now) return failed(unjournaled.why)
        toWrite.push({ events, extraRows: along, resolve: done, reject: failed })
        void gather()
      }),
    backlog: (): number => toHandle.length + toWrite.reduce((sum, { events }) => sum + events.length, 0),
    replay,
    /** Replays entries whose writer died, while the lane is idle. */
    async poll(): Promise<void> {
      const again = () => replay().catch((err) => log.warn({ err, line: row.id }, 'the journal cannot be read'))
      if (!isClosed && !isGathering && !handling) handling = work(again)
      await handling
    },
    async idle(): Promise<void> {
      while ((handling || isGathering) && !isClosed) await (handling ?? new Promise((resolve) => setImmediate(resolve)))
      await recordingDuplicates
    },
    /** Rejects events that are not journaled yet: the line keeps them. */
    async close(): Promise<void> {
      isClosed = true
      for (const { reject: failed } of toWrite.splice(0)) failed(new LostLeaseError())
      await handling
      await recordingDuplicates
    },
  }
}

/** The line's own rows that belong to a batch, as one statement for each kind of row. */
function statementsAlongside(batch: QueuedBatch[]): PreparedStatement[] {
  const extraRows = batch.flatMap(({ extraRows: along }) => along ?? [])
  const kinds = Map.groupBy(extraRows, ({ statement }) => statement)
  return [...kinds].map(([statement, all]) => statement(all.flatMap(({ rows }) => rows)))
}
