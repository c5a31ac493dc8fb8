import type { Log } from '../../kernel/log.ts'
import type { Means } from '../../kernel/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import { handle, setAside } from './handle.ts'
import { handleAcks } from './acks.ts'
import { type Entry, unfinished, writeDown } from './journal.ts'
import { handlePlain } from './plain.ts'

/** More than this waiting in memory, and the line is made to wait: it may not forget what we have not written down. */
const brim = 4000
const batchSize = 256
/** After so many tries an event is set aside with its reason, so that it does not hold up the chat for ever. */
const maxAttempts = 5

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
        toHandle.push(...(await writeDown(means, row, batch.flatMap((w) => w.events))))
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
      handling ??= work()
    }
    writing = false
  }

  async function work(): Promise<void> {
    try {
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
    for (let attempt = 1; !closed; attempt++) {
      try {
        return await handle(means, row, entry)
      } catch (err) {
        log.error({ err, journal: entry.journalId, attempt }, 'an event could not be handled')
        if (attempt >= maxAttempts && (await setAside(means, row, entry, err).then(() => true, () => false))) return
        await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, 50 * 4 ** attempt)))
      }
    }
  }

  return {
    hear: (events: InboundEvent[]) =>
      new Promise<void>((done, failed) => {
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
    async idle(): Promise<void> {
      while ((handling || writing) && !closed) await (handling ?? new Promise((resolve) => setImmediate(resolve)))
    },
    async close(): Promise<void> {
      closed = true
      await handling
    },
  }
}
