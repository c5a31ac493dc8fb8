import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'

/**
 * Counts tries per key in a window and refuses above the limit. Kept in this process: a second process doubles the
 * budget, which still stops guessing.
 */
export function makeLimit(clock: Clock, o: { tries: number; window: number }) {
  const seen = new Map<string, { count: number; until: number }>()
  const current = (key: string) => {
    const now = clock.now().getTime()
    if (seen.size > 10_000) for (const [k, v] of seen) if (v.until <= now) seen.delete(k)
    const entry = seen.get(key)
    return entry && entry.until > now ? entry : undefined
  }
  return {
    check(key: string): void {
      if ((current(key)?.count ?? 0) >= o.tries) throw new AppError('ERR_TOO_MANY_TRIES')
    },
    count(key: string): void {
      const entry = current(key)
      if (entry) entry.count++
      else seen.set(key, { count: 1, until: clock.now().getTime() + o.window })
    },
    forget: (key: string) => void seen.delete(key),
  }
}
