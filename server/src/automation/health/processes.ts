import { hostname, totalmem } from 'node:os'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { ProcessHealth } from '@recado/contract/health/health'
import type { LiveUpdates } from '../../kernel/live/live-updates.ts'

/** The event loop is measured only while the page is polled and for this long afterwards. */
const watchTimeoutMs = 30_000
/** A process that has just started measuring needs this long before it can answer. */
const warmUpMs = 150
const nanosPerMs = 1e6

export type ProcessFacts = {
  holder: string
  version: string
  role?: string | undefined
  since: Date
  /** The number of lines that run in this process, and the backlog of their lanes. */
  lines: () => number
  backlog: () => number
}
export type ProcessMonitor = ReturnType<typeof makeProcessMonitor>

/** Event loop delay and utilization since the last measurement. */
function watchEventLoop() {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  let usage = performance.eventLoopUtilization()
  let end: NodeJS.Timeout | undefined
  return {
    async measure(): Promise<{ lag: number; busy: number }> {
      if (!end) {
        delay.enable()
        usage = performance.eventLoopUtilization()
        await pause(warmUpMs, undefined, { ref: false })
      }
      clearTimeout(end)
      end = setTimeout(() => {
        delay.disable()
        end = undefined
      }, watchTimeoutMs).unref()
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, usage)
      usage = now
      // The histogram measures the interval between samples, so subtract the resolution.
      const lag = Math.max(0, Number(delay.percentile(99)) / nanosPerMs - 20)
      delay.reset()
      return { lag: Number.isFinite(lag) ? lag : 0, busy: utilization }
    },
    close(): void {
      clearTimeout(end)
      delay.disable()
    },
  }
}

/** Parses a lease holder: `host:pid:…`. */
const parseHolder = (holder: string) => {
  const [host = '', pid = '0'] = holder.split(':')
  return { host, pid: Number(pid) }
}

/** Every process reports its state when asked. */
export function makeProcessMonitor(live: LiveUpdates, facts: ProcessFacts) {
  const loop = watchEventLoop()
  async function self(): Promise<ProcessHealth> {
    const { lag, busy } = await loop.measure()
    return {
      ...{ id: facts.holder, host: hostname(), pid: process.pid, answers: true, here: false },
      ...{ version: facts.version, role: facts.role ?? null, since: facts.since.toISOString() },
      ...{ memory: process.memoryUsage.rss(), machine: totalmem(), lag: Math.round(lag * 10) / 10, busy },
      ...{ sockets: live.connections(), lines: facts.lines(), backlog: facts.backlog() },
    }
  }
  live.onPeerQuery('health', self)
  return {
    /** All processes that answer, this one first, and processes that hold lines and do not answer. */
    async listAll(holders: Map<string, number>): Promise<ProcessHealth[]> {
      const [me, others] = await Promise.all([self(), live.queryPeers<ProcessHealth>('health', null)])
      const known = new Set([me, ...others].map(({ id }) => id))
      const silent = [...holders].filter(([id]) => !known.has(id))
      return [
        { ...me, here: true },
        ...others.sort((a, b) => a.id.localeCompare(b.id)),
        ...silent.map(
          ([id, lines]): ProcessHealth => ({
            ...{ id, ...parseHolder(id), answers: false, here: false, version: '', role: null, since: null },
            ...{ memory: 0, machine: 0, lag: 0, busy: 0, sockets: 0, lines, backlog: 0 },
          }),
        ),
      ]
    },
    close: loop.close,
  }
}
