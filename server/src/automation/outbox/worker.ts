import type { Log } from '../../kernel/log.ts'
import { runWithTrace } from '../../kernel/trace.ts'

/** Pause after an error of a line. */
const errorPauseMs = 2000

export type Worker = { wake: () => void; stop: () => Promise<void> }
/** `whenWoken`: resolves when the worker is woken during its round, or at the time set by `wakeAfter`. */
export type WorkerRound = { signal: AbortSignal; whenWoken(): Promise<void>; wakeAfter(ms: number): void }
/** Does the work that is due; returns the milliseconds until more is due, or null if nothing waits. */
type RunRound = (ended: AbortSignal, call: WorkerRound) => Promise<number | null>

/** Runs rounds while there is work; otherwise sleeps until woken. */
export function startWorker(round: RunRound, log: Log, line: number): Worker {
  let isWanted = false
  const end = new AbortController()
  const ended = end.signal
  let wakeSignal = Promise.withResolvers<void>()
  const call: WorkerRound = {
    signal: ended,
    whenWoken: () => wakeSignal.promise,
    wakeAfter: (ms) => void setTimeout(wake, ms).unref(),
  }
  let running: Promise<void> | null = null
  let wakeTimer: NodeJS.Timeout | undefined

  async function work(): Promise<void> {
    while (isWanted && !ended.aborted) {
      isWanted = false
      const next = await round(ended, call).catch((err) => {
        log.warn({ err, line }, 'the line could not perform the task; pending ones stay')
        return errorPauseMs
      })
      clearTimeout(wakeTimer)
      if (next !== null && !ended.aborted) wakeTimer = setTimeout(wake, next).unref()
    }
    running = null
  }
  function wake(): void {
    isWanted = true
    wakeSignal.resolve()
    wakeSignal = Promise.withResolvers()
    // No trace id, because the round works for every caller.
    if (!ended.aborted) running ??= runWithTrace(null, work)
  }
  wake()
  return {
    wake,
    async stop() {
      end.abort()
      clearTimeout(wakeTimer)
      await running
    },
  }
}
