import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { threadsCpuMs } from './separate-server.ts'

/** `--tries=1` makes one quick measurement, for a machine that is busy anyway. */
const maxTries = Number(process.argv.find((word) => word.startsWith('--tries='))?.slice(8) ?? 3)
/** A measurement is not valid if other processes or the host took more than this share of the machine. */
export const maxStolenShare = 0.1

/** Milliseconds in which cores of this machine worked for any process, and milliseconds that its host took (steal). */
function machineMs(): { busy: number; stolen: number } {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = readFileSync('/proc/stat', 'utf8')
    .slice(5, 200)
    .trim()
    .split(/\s+/)
    .map(Number)
  return { busy: (user + nice + system + irq + softirq) * 10, stolen: steal * 10 }
}

export type MeasuringWindow<R> = { result: R; stolenShare: number; attempts: number }

/** Measures how much other processes and the host took from the machine during a benchmark. */
export async function openMeasuringWindows(pids: () => number[]) {
  const clock = new Worker(new URL('./stolen-time.ts', import.meta.url))
  const ownCpuMs = () => [process.pid, ...pids()].reduce((sum, pid) => sum + threadsCpuMs(pid), 0)
  const read = async (): Promise<{ spun: number; jumped: number }> => {
    const answer = once(clock, 'message')
    clock.postMessage('read')
    return (await answer)[0]
  }
  async function measureOnce<R>(work: () => Promise<R>): Promise<{ result: R; stolenShare: number }> {
    clock.postMessage('reset')
    const [own, machine, startedAt] = [ownCpuMs(), machineMs(), performance.now()]
    const result = await work()
    const { spun, jumped } = await read()
    const room = (performance.now() - startedAt) * availableParallelism()
    const now = machineMs()
    const others = Math.max(0, now.busy - machine.busy - (ownCpuMs() - own))
    return {
      result,
      stolenShare: Math.min(1, (others + now.stolen - machine.stolen) / room + jumped / Math.max(1, spun)),
    }
  }
  return {
    /** Measures up to three times, until a run is valid; otherwise returns the least disturbed run, marked as disturbed. */
    async measure<R>(work: () => Promise<R>, maxAttempts = maxTries): Promise<MeasuringWindow<R>> {
      let best: MeasuringWindow<R> | undefined
      for (let tries = 1; tries <= maxAttempts && !(best && best.stolenShare <= maxStolenShare); tries++) {
        const seen = await measureOnce(work)
        if (!best || seen.stolenShare < best.stolenShare) best = { ...seen, attempts: tries }
      }
      return best as MeasuringWindow<R>
    },
    close: () => clock.terminate(),
  }
}
