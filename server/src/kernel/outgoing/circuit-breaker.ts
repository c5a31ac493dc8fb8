import type { Clock } from '../clock.ts'

/** Not called: what is there has not answered for a while. It may again later. */
export class CircuitOpenError extends Error {}

/** So many calls in a row that came to nothing, and nobody calls for this long; twice as long each time after it. */
const failuresToOpen = 5
const firstPauseMs = 60_000
const maxPauseMs = 15 * 60_000
/** More places than anybody calls; those that failed first are forgotten first. */
const maxTrackedKeys = 10_000

type CircuitState = { failed: number; pause: number; until: number }
export type CircuitBreaker = ReturnType<typeof makeCircuitBreaker>

/** Keeps those who call out from waiting again and again for who does not answer. */
export function makeCircuitBreaker(clock: Clock) {
  const places = new Map<string, CircuitState>()
  const now = () => clock.now().getTime()

  function check(key: string): void {
    const place = places.get(key)
    if (!place || place.failed < failuresToOpen) return
    if (place.until > now()) throw new CircuitOpenError(`${key} does not answer`)
    // One tries it; the others wait for what comes of that.
    place.until = now() + place.pause
  }
  function failed(key: string): void {
    const place = places.get(key) ?? { failed: 0, pause: firstPauseMs / 2, until: 0 }
    place.failed++
    if (place.failed >= failuresToOpen) {
      place.pause = Math.min(place.pause * 2, maxPauseMs)
      place.until = now() + place.pause
    }
    places.delete(key)
    places.set(key, place)
    for (const oldest of places.keys()) {
      if (places.size <= maxTrackedKeys) break
      places.delete(oldest)
    }
  }

  return {
    /** Whether the last call there came to nothing. */
    isFailing: (key: string): boolean => places.has(key),
    /** Does it, unless one of these places rests and nobody insists. What it throws counts against those it `counts` for. */
    async run<T>(
      keys: string[],
      work: () => Promise<T>,
      counts: (key: string, error: unknown) => boolean = () => true,
      insists = false,
    ): Promise<T> {
      if (!insists) for (const key of keys) check(key)
      try {
        const answer = await work()
        for (const key of keys) places.delete(key)
        return answer
      } catch (error) {
        for (const key of keys) if (counts(key, error)) failed(key)
        throw error
      }
    },
  }
}
