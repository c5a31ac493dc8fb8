import { Worker } from 'node:worker_threads'
import type { ClientTask, HostileCall, MeasuredWait } from './hostile-client.ts'

type WithoutId<T> = T extends { id: number } ? Omit<T, 'id'> : never

/** A client in a worker thread (see hostile-client.ts). */
export function openHostileClient() {
  const worker = new Worker(new URL('./hostile-client.ts', import.meta.url))
  const waiting = new Map<number, (answer: never) => void>()
  let last = 0
  worker.on('message', ({ id, answer }: { id: number; answer: never }) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  const ask = <R>(task: WithoutId<ClientTask>): Promise<R> =>
    new Promise<R>((done) => {
      waiting.set(++last, done as (answer: never) => void)
      worker.postMessage({ ...task, id: last })
    })
  return {
    /** Returns the status of each call; 0: the connection was cut. */
    send: (calls: HostileCall[], atOnce = 1): Promise<number[]> => ask({ calls, atOnce }),
    /** Repeats the same request, without waiting for answers. */
    witness: (call: HostileCall, everyMs: number, computed?: Int32Array): Promise<void> =>
      ask({ witness: call, everyMs, ...(computed && { computed }) }),
    /** Stops the repetition; returns how long each request waited. */
    stop: (): Promise<MeasuredWait[]> => ask({ stop: true }),
    close: () => worker.terminate(),
  }
}

export function percentile(all: number[], share: number): number {
  const sorted = all.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Records the CPU time of this thread for other threads, in microseconds. */
export function measureCpuTime(ownMicros: () => number = () => 0): { computed: Int32Array; stop(): void } {
  const computed = new Int32Array(new SharedArrayBuffer(4))
  const start = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(start)
    Atomics.store(computed, 0, user + system - ownMicros())
  }, 2)
  return { computed, stop: () => clearInterval(timer) }
}
