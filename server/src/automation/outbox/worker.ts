import type { Log } from '../../kernel/log.ts'
import { runWithTrace } from '../../kernel/trace.ts'

/** A line that answers with errors is left in peace for this long. */
const errorPauseMs = 2000

export type Worker = { wake: () => void; stop: () => Promise<void> }
/** `woken`: resolves when somebody wakes the worker during its round, or when the time has come that it asked for. */
export type WorkerRound = { ended: AbortSignal; woken(): Promise<void>; wakeAfter(ms: number): void }
/** Does what is due; says in how many milliseconds there will be more, null when nothing waits. */
type RunRound = (ended: AbortSignal, call: WorkerRound) => Promise<number | null>

/** Round after round while there is something to do; asleep until woken otherwise. */
export function startWorker(round: RunRound, log: Log, line: number): Worker {
  let wanted = false
  const end = new AbortController()
  const ended = end.signal
  let bell = Promise.withResolvers<void>()
  const call: WorkerRound = {
    ended,
    woken: () => bell.promise,
    wakeAfter: (ms) => void setTimeout(wake, ms).unref(),
  }
  let running: Promise<void> | null = null
  let alarm: NodeJS.Timeout | undefined

  async function work(): Promise<void> {
    while (wanted && !ended.aborted) {
      wanted = false
      const next = await round(ended, call).catch((err) => {
        log.warn({ err, line }, 'the line could not do it; what waits stays')
        return errorPauseMs
      })
      clearTimeout(alarm)
      if (next !== null && !ended.aborted) alarm = setTimeout(wake, next).unref()
    }
    running = null
  }
  function wake(): void {
    wanted = true
    bell.resolve()
    bell = Promise.withResolvers()
    // Whoever wakes it, it works for all.
    if (!ended.aborted) running ??= runWithTrace(null, work)
  }
  wake()
  return {
    wake,
    async stop() {
      end.abort()
      clearTimeout(alarm)
      await running
    },
  }
}
