import { setTimeout as pause } from 'node:timers/promises'
import { isPassing } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Means } from '../../kernel/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import { handleAcks } from './acks.ts'
import { handle, setAside } from './handle.ts'
import { type Entry, LostLease, unfinished, writeDown } from './journal.ts'
import { handlePlain } from './plain.ts'

/** More than this waiting in memory, and the line is made to wait: it may not forget what we have not written down. */
const brim = 4000
const batchSize = 256
/**
 * An event that fails is tried again, since rivals may have been in its way; one that always fails is set aside with
 * its reason within half a second, for the rest of the line waits behind it.
 */
const maxTries = 3
const triesMs = (tries: number) => 20 * 4 ** tries
/** While the database is away nobody is to blame: what waits is tried again for as long as it takes. */
const outageMs = 250

type Waiting = { events: InboundEvent[]; done: () => void; failed: (error: unknown) => void }

/**
 * One line's way in. Batches form by themselves: while one is being written the next gathers, and an idle line waits
 * for nothing. Events are handled in the order of the journal; journal and handling run side by side.
 */
export function makeLane(means: Means, row: LineRow, log: Log) {
  const toWrite: Waiting[] = []
  const toHandle: Entry[] = []
  let writing = false
  let handling: Promise<void> | null = null
  let closed = false

  async function write(): Promise<void> {
    if (writing) return
    writing = true
    while (toWrite.length && !closed) {
      if (toHandle.length > brim) await handling
      const batch = toWrite.splice(0)
      try {
        const events = batch.flatMap((w) => w.events)
        toHandle.push(...(await writeDown(means, row, events)))
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
      handling ??= work()
    }
    writing = false
  }

  async function work(first?: () => Promise<void>): Promise<void> {
    try {
      await first?.()
      while (toHandle.length && !closed) await handleBatch(toHandle.splice(0, batchSize))
    } finally {
      handling = null
    }
  }

  async function handleBatch(batch: Entry[]): Promise<void> {
    let rest = batch
    try {
      rest = await handlePlain(means, row, await handleAcks(means, row, batch))
    } catch (err) {
      log.warn({ err, line: row.id }, 'a batch failed; its events are tried one by one')
    }
    for (const entry of rest) if (!closed) await persist(entry)
  }

  /** One event, until it is done, set aside, or the house closes. */
  async function persist(entry: Entry): Promise<void> {
    for (let tries = 1; !closed; ) {
      try {
        return await handle(means, row, entry)
      } catch (err) {
        const passing = isPassing(err)
        log.error({ err, journal: entry.journalId, tries, passing }, 'an event could not be handled')
        if (!passing && tries >= maxTries && (await isSetAside(entry, err))) return
        await pause(passing ? outageMs : triesMs(tries))
        if (!passing) tries++
      }
    }
  }
  const isSetAside = (entry: Entry, why: unknown) =>
    setAside(means, row, entry, why).then(
      () => true,
      () => false,
    )

  return {
    hear: (events: InboundEvent[]) =>
      new Promise<void>((done, failed) => {
        if (closed) return failed(new LostLease())
        toWrite.push({ events, done, failed })
        void write()
      }),
    /** Before anything new: what an earlier process wrote down and did not finish. */
    async replay(): Promise<void> {
      for (let after = 0; !closed; ) {
        const entries = await unfinished(means, row, after, batchSize)
        if (!entries.length) return
        await handleBatch(entries)
        after = entries.at(-1)?.journalId ?? after
      }
    },
    /** The same for what somebody wrote down who died at once: while nothing else is to do. */
    async look(): Promise<void> {
      const replay = () => this.replay().catch((err) => log.warn({ err, line: row.id }, 'the journal cannot be read'))
      if (!closed && !writing && !handling) handling = work(replay)
      await handling
    },
    async idle(): Promise<void> {
      while ((handling || writing) && !closed) await (handling ?? new Promise((resolve) => setImmediate(resolve)))
    },
    /** What is not written down yet stays with the line: it is told so. */
    async close(): Promise<void> {
      closed = true
      for (const { failed } of toWrite.splice(0)) failed(new LostLease())
      await handling
    },
  }
}
