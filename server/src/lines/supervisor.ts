import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Provider } from '@recado/contract/connections'
import type { Means } from '../kernel/data/scope.ts'
import type { Signals } from '../kernel/live/signals.ts'
import type { Log } from '../kernel/log.ts'
import { type HeldLine, holdLine, type Outlets } from './held-line.ts'
import { makeLeases, shows, type Wanted } from './leases.ts'
import type { Line, MakeLine } from './line.ts'

declare module '../kernel/live/signals.ts' {
  interface SignalWords {
    /** What is wanted of the lines has changed. */
    lines: []
  }
}

/**
 * A lease of 12 s and a look every 3 s: the lines of a process that hangs run elsewhere within 15 s. Three beats fit into
 * a lease. Of one whose connection to the database is gone as well they run after 2 s: one that lost it and lives is
 * back by then (signals.ts tries every second), and one that cannot come back can neither write nor acknowledge anything.
 */
export const usualPace = { leaseMs: 12_000, beatMs: 4_000, lookMs: 3_000, retryMs: 1_000, goneMs: 2_000 }
export type Pace = typeof usualPace

export type Supervision = {
  means: Means
  log: Log
  signals: Signals
  makers: Record<Provider, MakeLine | undefined>
  outlets: Pick<Outlets, 'hear' | 'state' | 'typing'>
  pace?: Partial<Pace>
}
export type Supervisor = ReturnType<typeof makeSupervisor>

/**
 * Makes true what the connection rows want: every wanted line runs, in one process. It knows no ticket and no
 * directory; what lines say goes to the outlets it was given.
 */
export function makeSupervisor({ means, log, signals, makers, outlets, ...given }: Supervision) {
  const pace: Pace = { ...usualPace, ...given.pace }
  // After its lease another process may run a line: by then it is silent here.
  const holding = { retryMs: pace.retryMs, graceMs: pace.leaseMs / 3 }
  const holder = `${hostname()}:${process.pid}:${randomUUID()}${shows}`
  const leases = makeLeases(means.database.platform, holder, pace.leaseMs)
  const lines = new Map<number, HeldLine>()
  /** They are being let go. The next one of the same connection begins after that: two at once would write the same keys. */
  const ending = new Set<HeldLine>()
  const on = { up: [] as Outlets['up'][], down: [] as Outlets['down'][] }
  const to: Outlets = {
    ...outlets,
    up: (row, line) => on.up.forEach((tell) => void tell(row, line)),
    down: async (row) => void (await Promise.all(on.down.map((tell) => tell(row)))),
  }
  /** Whose name nobody shows, and since when. */
  let missing = new Map<string, number>()
  let closed = false
  let looking: Promise<void> | undefined
  let again = false
  let timers: NodeJS.Timeout[] = []
  let deadline: NodeJS.Timeout | undefined
  let search: NodeJS.Timeout | undefined

  /** One look at a time; a call during one means one more after it. */
  function look(): Promise<void> {
    again = true
    looking ??= (async () => {
      while (again && !closed) {
        again = false
        await settle().catch((err) => log.warn({ err }, 'lines could not be looked at'))
      }
    })().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function settle(): Promise<void> {
    const rows = await leases.wanted()
    const wanted = new Map(rows.map((row) => [row.id, row]))
    const changed = [...lines.values()].filter(({ row }) => {
      const now = wanted.get(row.id)
      return now?.wantedRound !== row.wantedRound || now.provider !== row.provider
    })
    await Promise.all(changed.map(drop))
    await leases.release(changed.map(({ row }) => row.id).filter((id) => !wanted.has(id)))
    const busy = new Set([...lines.keys(), ...[...ending].map(({ row }) => row.id)])
    const gone = missedLong(rows)
    const free = rows.filter((row) => (row.free || gone.has(row.holder ?? '')) && !busy.has(row.id))
    if (!free.length || closed) return
    const fences = await leases.take(
      free.map((row) => row.id),
      [...gone],
    )
    for (const { id, companyId, provider, wantedRound } of free) {
      const fence = fences.get(id)
      if (fence === undefined || closed) continue
      const row = { id, companyId, provider, wantedRound, fence }
      lines.set(id, holdLine(row, makers[provider], to, log, holding))
    }
  }

  /** Who has been missing for so long that they are dead; those who are not yet are looked for again when they may be. */
  function missedLong(rows: Wanted[]): Set<string> {
    const now = performance.now()
    const holders = rows.flatMap(({ gone, free, holder }) => (gone && !free && holder ? [holder] : []))
    missing = new Map(holders.map((one) => [one, missing.get(one) ?? now]))
    const waits = [...missing.values()].map((since) => since + pace.goneMs - now).filter((wait) => wait > 0)
    clearTimeout(search)
    if (waits.length) search = setTimeout(() => void look(), Math.min(...waits) + 10)
    return new Set(holders.filter((one) => now - (missing.get(one) ?? now) >= pace.goneMs))
  }

  async function drop(held: HeldLine): Promise<void> {
    if (lines.get(held.row.id) === held) lines.delete(held.row.id)
    ending.add(held)
    await held.stop().finally(() => ending.delete(held))
  }

  /** A process that cannot renew its leases must be silent before they run out: by then another may run its lines. */
  function renewedAt(moment: number): void {
    clearTimeout(deadline)
    deadline = setTimeout(
      () => {
        if (lines.size) log.warn({ lines: lines.size }, 'leases could not be renewed: lines stop here')
        for (const held of lines.values()) void drop(held)
      },
      moment + (pace.leaseMs * 11) / 12 - performance.now(),
    )
    deadline.unref()
  }

  async function beat(): Promise<void> {
    const asked = performance.now()
    const held = [...lines.values()]
    const ours = held.length ? await leases.renew(held.map(({ row }) => row.id)) : new Map<number, number>()
    if (closed) return
    renewedAt(asked)
    for (const line of held) if (ours.get(line.row.id) !== line.row.fence) void drop(line)
  }

  return {
    holder,
    /** The line of a connection, while it is connected and runs in this process. */
    running: (whatsappId: number): Line | undefined => lines.get(whatsappId)?.connected,
    /** How many lines run here, connected or on their way to it. */
    count: (): number => lines.size,
    onConnected: (tell: Outlets['up']) => void on.up.push(tell),
    /** Told, and waited for, before a line that was connected stops being it here. */
    onDisconnected: (tell: Outlets['down']) => void on.down.push(tell),
    look,
    async start(): Promise<void> {
      let beating = false
      const tick = async () => {
        if (beating) return
        beating = true
        await beat().catch((err) => log.warn({ err }, 'leases could not be renewed'))
        beating = false
      }
      await signals.show(holder)
      renewedAt(performance.now())
      timers = [setInterval(() => void tick(), pace.beatMs), setInterval(() => void look(), pace.lookMs)]
      signals.on('lines', () => void look())
      await look()
    },
    /** Lines stop and are free for others at once. */
    async close(): Promise<void> {
      closed = true
      for (const timer of timers) clearInterval(timer)
      clearTimeout(deadline)
      clearTimeout(search)
      await looking
      await Promise.all([...lines.values()].map(drop))
      // Without the database nobody can be told; the leases run out by themselves.
      await leases.release().catch((err) => log.warn({ err }, 'leases could not be given back'))
    },
  }
}
