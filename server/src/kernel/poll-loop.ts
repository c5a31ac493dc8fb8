import type { Log } from './log.ts'

type PollLoopOptions = {
  isEnabled: boolean
  /** For signals that were lost, and for work that failed. */
  pollMs: number
  /** How long to rest between two looks, so that many signals cause few looks; at most `maxRestOfWorkMs` within work. */
  restMs?: number
  log: Log
}

/** The rest between two steps of work that is not finished. */
const maxRestOfWorkMs = 50

/** One worker that looks for work when it is called and at intervals. `look` returns whether there is more to do. */
export function makePollLoop(look: () => Promise<boolean>, { isEnabled, pollMs, restMs, log }: PollLoopOptions) {
  let isClosed = false
  let working: Promise<void> | null = null
  let lookAgain = false
  let endRest = () => {}

  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endRest = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  async function work(): Promise<void> {
    do {
      lookAgain = false
      const hasMore = await look().catch((err) => {
        log.warn({ err }, 'waiting work cannot be looked at')
        return false
      })
      if (hasMore) lookAgain = true
      if (restMs && !isClosed) await rest(hasMore ? Math.min(restMs, maxRestOfWorkMs) : restMs)
    } while (lookAgain && !isClosed)
    working = null
  }
  /** A call during a look causes one more look. */
  async function poll(): Promise<void> {
    if (!isEnabled || isClosed) return
    lookAgain = true
    working ??= work()
    await working
  }
  const pollTimer = setInterval(() => void poll(), pollMs)
  pollTimer.unref()
  return {
    poll,
    isClosed: () => isClosed,
    async close(): Promise<void> {
      isClosed = true
      clearInterval(pollTimer)
      endRest()
      await working
    },
  }
}
