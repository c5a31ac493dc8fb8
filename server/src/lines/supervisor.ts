import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { LineProvider } from '@recado/contract/connections'
import type { Deps } from '../kernel/data/scope.ts'
import type { Signals } from '../kernel/live/signals.ts'
import type { Log } from '../kernel/log.ts'
import { type HeldLine, holdLine, type LineOutlets } from './held-line.ts'
import { advertisedHolderSuffix, makeLeases, type WantedLine } from './leases.ts'
import type { Line, LineRow, MakeLine } from './line.ts'
import {
  chooseLinesToHandOver,
  chooseLinesToRequest,
  estimateLineLoad,
  fairShareOfFreeLines,
  type LeasedLine,
} from './line-balancing.ts'

declare module '../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Signal that the set of lines that should run has changed. */
    lines: []
  }
}

/**
 * A lease of 12 s, a poll every 2.5 s and half a second for other processes to take their share: the lines of a hanging
 * process run elsewhere within 15 s. Three heartbeats fit into a lease. If the process has also lost its database
 * connection, its lines run elsewhere after 2 s: a live process has reconnected by then (signals.ts tries every second),
 * and a process that cannot reconnect can neither write nor acknowledge anything.
 */
export const defaultSupervisorTimings = {
  ...{ leaseMs: 12_000, heartbeatMs: 4_000, pollMs: 2_500, retryMs: 1_000, goneMs: 2_000 },
  /** How long free lines beyond our share are left to other processes, and the minimum interval between requests. */
  ...{ fairShareWaitMs: 500, rebalanceMs: 2_000 },
}
/** The weight of a line's latest rate: with a heartbeat of 4 s, a burst loses its effect in a minute or two. */
const rateSmoothing = 0.1
export type SupervisorTimings = typeof defaultSupervisorTimings

export type SupervisorDeps = {
  deps: Deps
  log: Log
  signals: Signals
  makers: Record<LineProvider, MakeLine | undefined>
  outlets: Pick<LineOutlets, 'receive' | 'reportState' | 'reportTyping' | 'reportReachOutLock' | 'reportUnreadable'>
  pace?: Partial<SupervisorTimings>
}
export type Supervisor = ReturnType<typeof makeSupervisor>

/**
 * Runs the lines that the connection rows want, each in one process. It is independent of tickets and of the directory;
 * events of lines go to the given outlets.
 */
export function makeSupervisor({ deps, log, signals, makers, outlets, ...options }: SupervisorDeps) {
  const pace: SupervisorTimings = { ...defaultSupervisorTimings, ...options.pace }
  // When a lease has expired another process may run the line, so it must be stopped here by then.
  const holdTimings = { retryMs: pace.retryMs, graceMs: pace.leaseMs / 3 }
  const holder = `${hostname()}:${process.pid}:${randomUUID()}${advertisedHolderSuffix}`
  const leases = makeLeases(deps.database.platform, holder, pace.leaseMs)
  const lines = new Map<number, HeldLine>()
  /** Lines that are being released. The same line starts again only after that: two runs would write the same keys. */
  const stopping = new Set<HeldLine>()
  /** Lines being handed over: this process does not take them again. */
  const handingOver = new Map<number, Promise<void>>()
  /** The fence under which a line last ran here. */
  const lastFences = new Map<number, number>()
  /** Free lines beyond our share, and since when they are free. */
  let freeSince = new Map<number, number>()
  let requestedAt = Number.NEGATIVE_INFINITY
  /** Events per line: the count since the last heartbeat, and the rate per second. */
  const eventCounts = new Map<number, number>()
  const eventRates = new Map<number, number>()
  let lastHeartbeatAt = performance.now()
  const connectionListeners = { up: [] as LineOutlets['onConnected'][], down: [] as LineOutlets['onDisconnected'][] }
  const trackedOutlets: LineOutlets = {
    ...outlets,
    receive(row, events, rows) {
      eventCounts.set(row.id, (eventCounts.get(row.id) ?? 0) + events.length)
      return outlets.receive(row, events, rows)
    },
    onConnected: (row, line) => connectionListeners.up.forEach((tell) => void tell(row, line)),
    onDisconnected: async (row) => void (await Promise.all(connectionListeners.down.map((tell) => tell(row)))),
  }
  /** Processes whose name is not advertised, and since when. */
  let missingSince = new Map<string, number>()
  let closed = false
  let reconciling: Promise<void> | undefined
  let isRerunNeeded = false
  let timers: NodeJS.Timeout[] = []
  let deadline: NodeJS.Timeout | undefined
  let missingTimer: NodeJS.Timeout | undefined
  let freeLinesTimer: NodeJS.Timeout | undefined

  /**
   * Compares the lines that should run with those that run. One comparison runs at a time; a call during it causes one
   * more after it.
   */
  function reconcile(): Promise<void> {
    isRerunNeeded = true
    reconciling ??= (async () => {
      while (isRerunNeeded && !closed) {
        isRerunNeeded = false
        await reconcileOnce().catch((err) => log.warn({ err }, 'could not read the lines'))
      }
    })().finally(() => {
      reconciling = undefined
    })
    return reconciling
  }

  async function reconcileOnce(): Promise<void> {
    const rows = await leases.listWanted()
    const wanted = new Map(rows.map((row) => [row.id, row]))
    const changed = [...lines.values()].filter(({ row }) => {
      const now = wanted.get(row.id)
      return now?.wantedRound !== row.wantedRound || now.provider !== row.provider
    })
    await Promise.all(changed.map(releaseLine))
    await leases.release(changed.map(({ row }) => row.id).filter((id) => !wanted.has(id)))
    const busy = new Set([...lines.keys(), ...handingOver.keys(), ...[...stopping].map(({ row }) => row.id)])
    const gone = deadHolders(rows)
    const held = rows.flatMap(({ id, holder: by, load, wantedBy }): LeasedLine[] =>
      by && !gone.has(by) ? [{ id, holder: by, load, wantedBy }] : [],
    )
    await takeFree(
      rows.filter((row) => (row.free || gone.has(row.holder ?? '')) && !busy.has(row.id)),
      held,
      gone,
    )
    if (!closed) await rebalance(held)
  }

  /**
   * Takes our own lines and our share of the free lines at once, and later the free lines that no other process has
   * taken.
   */
  async function takeFree(all: WantedLine[], held: LeasedLine[], gone: Set<string>): Promise<void> {
    const now = performance.now()
    const others = all.filter((row) => row.holder !== holder)
    // The order is random: otherwise all processes would try to take the same lines.
    others.sort(() => Math.random() - 0.5)
    const shareSize = fairShareOfFreeLines(holder, held, others.length)
    const waiting = others.slice(shareSize)
    freeSince = new Map(waiting.map(({ id }) => [id, freeSince.get(id) ?? now]))
    clearTimeout(freeLinesTimer)
    if (waiting.length) freeLinesTimer = setTimeout(() => void reconcile(), pace.fairShareWaitMs + 10)
    const waited = waiting.filter(({ id }) => now - (freeSince.get(id) ?? now) >= pace.fairShareWaitMs)
    const free = [...all.filter((row) => row.holder === holder), ...others.slice(0, shareSize), ...waited]
    if (!free.length || closed) return
    const fences = await leases.take(
      free.map((row) => row.id),
      [...gone],
    )
    for (const { id, companyId, provider, wantedRound, stands } of free) {
      const fence = fences.get(id)
      if (fence === undefined || closed) continue
      const row: LineRow = { id, companyId, provider, wantedRound, fence }
      if (stands && lastFences.get(id) !== fence) row.wasConnectedElsewhere = true
      lastFences.set(id, fence)
      lines.set(id, holdLine(row, makers[provider], trackedOutlets, log, holdTimings))
    }
  }

  /** Hands over lines that other processes should run, and requests lines that this process should run. */
  async function rebalance(held: LeasedLine[]): Promise<void> {
    const { toHandOver, toKeep } = chooseLinesToHandOver(
      holder,
      held.filter(({ id, holder: by }) => by !== holder || lines.has(id)),
    )
    if (toKeep.length) await leases.declineRequests(toKeep)
    for (const id of toHandOver) {
      const line = lines.get(id)
      if (line) handingOver.set(id, handOver(line))
    }
    if (toHandOver.length || performance.now() - requestedAt < pace.rebalanceMs) return
    const requested = chooseLinesToRequest(holder, held)
    if (!requested.length) return
    requestedAt = performance.now()
    await leases.request(requested)
  }

  /** Stops the line here first, and only then gives it to the other process. */
  async function handOver(held: HeldLine): Promise<void> {
    const { id, fence } = held.row
    await releaseLine(held)
      .then(() => leases.handOver(id, fence))
      .catch((err) => log.warn({ err, line: id }, 'could not hand over a line'))
    handingOver.delete(id)
  }

  /**
   * The processes that have been missing for so long that they count as dead; the others are checked again when their
   * time is up.
   */
  function deadHolders(rows: WantedLine[]): Set<string> {
    const now = performance.now()
    const holders = rows.flatMap((row) => (row.gone && !row.free && row.holder ? [row.holder] : []))
    missingSince = new Map(holders.map((one) => [one, missingSince.get(one) ?? now]))
    const waits = [...missingSince.values()].map((since) => since + pace.goneMs - now).filter((wait) => wait > 0)
    clearTimeout(missingTimer)
    if (waits.length) missingTimer = setTimeout(() => void reconcile(), Math.min(...waits) + 10)
    return new Set(holders.filter((one) => now - (missingSince.get(one) ?? now) >= pace.goneMs))
  }

  async function releaseLine(held: HeldLine): Promise<void> {
    if (lines.get(held.row.id) === held) lines.delete(held.row.id)
    stopping.add(held)
    await held.stop().finally(() => stopping.delete(held))
  }

  /**
   * Sets the deadline by which this process must stop its lines if it cannot renew its leases: after that, another
   * process may run them.
   */
  function armLeaseDeadline(moment: number): void {
    clearTimeout(deadline)
    deadline = setTimeout(
      () => {
        if (lines.size) log.warn({ lines: lines.size }, 'could not renew leases: stopping the lines of this process')
        for (const held of lines.values()) void releaseLine(held)
      },
      moment + (pace.leaseMs * 11) / 12 - performance.now(),
    )
    deadline.unref()
  }

  async function renewLeases(): Promise<void> {
    const asked = performance.now()
    const held = [...lines.values()]
    const ids = held.map(({ row }) => row.id)
    const loads = measureLoads(ids, asked)
    const ours = ids.length ? await leases.renew(ids, loads) : new Map<number, number>()
    if (closed) return
    armLeaseDeadline(asked)
    for (const line of held) {
      const { id, fence } = line.row
      if (lines.get(id) === line && ours.get(id) !== fence) void releaseLine(line)
    }
  }

  function measureLoads(ids: number[], now: number): number[] {
    const seconds = Math.max(0.001, (now - lastHeartbeatAt) / 1000)
    lastHeartbeatAt = now
    for (const id of eventRates.keys()) if (!lines.has(id)) eventRates.delete(id)
    for (const id of ids)
      eventRates.set(
        id,
        (1 - rateSmoothing) * (eventRates.get(id) ?? 0) + (rateSmoothing * (eventCounts.get(id) ?? 0)) / seconds,
      )
    eventCounts.clear()
    return ids.map((id) => estimateLineLoad(eventRates.get(id) ?? 0))
  }

  return {
    holder,
    /** The line of a connection, if it is connected and runs in this process. */
    connectedLine: (whatsappId: number): Line | undefined => lines.get(whatsappId)?.connected,
    /** The number of lines running here, connected or connecting. */
    count: (): number => lines.size,
    onConnected: (tell: LineOutlets['onConnected']) => void connectionListeners.up.push(tell),
    /** The listener is called and awaited before a connected line stops here. */
    onDisconnected: (tell: LineOutlets['onDisconnected']) => void connectionListeners.down.push(tell),
    reconcile: reconcile,
    async start(): Promise<void> {
      let beating = false
      const tick = async () => {
        if (beating) return
        beating = true
        await renewLeases().catch((err) => log.warn({ err }, 'could not renew leases'))
        beating = false
      }
      await signals.advertise(holder)
      armLeaseDeadline(performance.now())
      timers = [setInterval(() => void tick(), pace.heartbeatMs), setInterval(() => void reconcile(), pace.pollMs)]
      signals.on('lines', () => void reconcile())
      await reconcile()
    },
    /** Stops the lines and releases their leases at once. */
    async close(): Promise<void> {
      closed = true
      for (const timer of timers) clearInterval(timer)
      clearTimeout(deadline)
      clearTimeout(missingTimer)
      clearTimeout(freeLinesTimer)
      await reconciling
      await Promise.all([...[...lines.values()].map(releaseLine), ...handingOver.values()])
      // Without the database the leases cannot be released, so they expire.
      await leases.release().catch((err) => log.warn({ err }, 'leases could not be given back'))
    },
  }
}
