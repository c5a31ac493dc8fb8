import type { Deps } from '../../kernel/data/scope.ts'
import type { Log } from '../../kernel/log.ts'
import { truncateEvent } from '../../lines/event-limits.ts'
import type { InboundEvent, LineRow, RowsWithEvents } from '../../lines/line.ts'
import type { Bot } from '../bot-actions/bot.ts'
import { LostLeaseError } from './journal.ts'
import { makeLane, makeLaneTally } from './lane.ts'

/** Polling finds events that a process wrote after it lost its line and after the next process had read the journal (rare). */
const pollMs = 30_000

type Lane = ReturnType<typeof makeLane>

/** The inbound side of every line. A lane exists as long as this process holds the line's lease with one fence. */
export function makeInbox(deps: Deps, log: Log, bots?: readonly Bot[]) {
  /** Counts of events per path since this process started. */
  const tally = makeLaneTally()
  const lanes = new Map<number, { fence: number; lane: Lane; replayed: Promise<void> }>()

  function laneOf(row: LineRow) {
    const current = lanes.get(row.id)
    if (current?.fence === row.fence) return current
    if (current && current.fence > row.fence) throw new LostLeaseError()
    void current?.lane.close()
    const lane = makeLane(deps, row, log, bots, tally)
    const entry = { fence: row.fence, lane, replayed: lane.replay() }
    lanes.set(row.id, entry)
    // No new event may be handled before the replay, so the next caller starts the replay again.
    entry.replayed.catch((err) => {
      log.error({ err, line: row.id }, 'replay failed')
      if (lanes.get(row.id) === entry) lanes.delete(row.id)
    })
    return entry
  }

  /** Ends lanes of lines that now run in another process; the other lanes poll for unfinished events. */
  async function poll(): Promise<void> {
    const ids = [...lanes.keys()]
    if (!ids.length) return
    const leases = await deps.database.platform
      .selectFrom('lineLeases')
      .select(['whatsappId', 'fence'])
      .where('whatsappId', 'in', ids)
      .execute()
    const fences = new Map(leases.map((l) => [l.whatsappId, l.fence]))
    for (const [id, { fence, lane }] of lanes) {
      if (fences.get(id) === fence) void lane.poll()
      else {
        lanes.delete(id)
        void lane.close()
      }
    }
  }
  const pollTimer = setInterval(
    () => void poll().catch((err) => log.warn({ err }, 'lanes cannot be looked at')),
    pollMs,
  )
  pollTimer.unref()

  return {
    tally,
    poll: poll,
    /** Called when the line starts: unfinished events are handled first. */
    begin: async (row: LineRow): Promise<void> => laneOf(row).replayed,
    async receive(row: LineRow, events: InboundEvent[], along?: RowsWithEvents): Promise<void> {
      const { lane, replayed } = laneOf(row)
      await replayed
      await lane.receive(events.map(truncateEvent), along)
    },
    /** Events waiting in memory. */
    backlog: (): number => [...lanes.values()].reduce((sum, { lane }) => sum + lane.backlog(), 0),
    laneCount: (): number => lanes.size,
    async idle(): Promise<void> {
      await Promise.all([...lanes.values()].map(({ lane }) => lane.idle()))
    },
    async close(): Promise<void> {
      clearInterval(pollTimer)
      await Promise.all([...lanes.values()].map(({ lane }) => lane.close()))
    },
  }
}
export type Inbox = ReturnType<typeof makeInbox>
