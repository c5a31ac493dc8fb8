import type { Log } from '../../kernel/log.ts'
import type { Means } from '../../kernel/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import { makeLane } from './lane.ts'

type Lane = ReturnType<typeof makeLane>

/** Every line's way in. A lane lives as long as this process holds the line under one fence. */
export function makeInbox(means: Means, log: Log) {
  const lanes = new Map<number, { fence: number; lane: Lane; replayed: Promise<void> }>()

  function laneOf(row: LineRow) {
    const known = lanes.get(row.id)
    if (known?.fence === row.fence) return known
    void known?.lane.close()
    const lane = makeLane(means, row, log)
    const made = { fence: row.fence, lane, replayed: lane.replay() }
    made.replayed.catch((err) => log.error({ err, line: row.id }, 'replay failed'))
    lanes.set(row.id, made)
    return made
  }

  return {
    /** The line starts: what was left unfinished comes first. */
    begin: (row: LineRow): Promise<void> => laneOf(row).replayed,
    async hear(row: LineRow, events: InboundEvent[]): Promise<void> {
      const { lane, replayed } = laneOf(row)
      await replayed
      await lane.hear(events)
    },
    async idle(): Promise<void> {
      await Promise.all([...lanes.values()].map(({ lane }) => lane.idle()))
    },
    async close(): Promise<void> {
      await Promise.all([...lanes.values()].map(({ lane }) => lane.close()))
    },
  }
}
export type Inbox = ReturnType<typeof makeInbox>
