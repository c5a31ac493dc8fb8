import type { Clock } from '../clock.ts'

/** Not called: the circuit breaker is open after repeated failures. It may succeed later. */
export class CircuitOpenError extends Error {}

/** After this many failures in a row calls pause for this long; the pause doubles each time. */
const failuresToOpen = 5
const firstPauseMs = 60_000
const maxPauseMs = 15 * 60_000
/** More targets than anybody calls; the oldest failures are evicted first. */
const maxTrackedKeys = 10_000

type CircuitState = { failures: number; pauseMs: number; openUntil: number }
export type CircuitBreaker = ReturnType<typeof makeCircuitBreaker>

/** A circuit breaker: avoids waiting again and again for a target that does not answer. */
export function makeCircuitBreaker(clock: Clock) {
  const places = new Map<string, CircuitState>()
  const now = () => clock.now().getTime()

  function check(key: string): void {
    const place = places.get(key)
    if (!place || place.failures < failuresToOpen) return
    if (place.openUntil > now()) throw new CircuitOpenError(`${key} does not answer`)
    // One call tries it; the others wait for its result.
    place.openUntil = now() + place.pauseMs
  }
  function failed(key: string): void {
    const place = places.get(key) ?? { failures: 0, pauseMs: firstPauseMs / 2, openUntil: 0 }
    place.failures++
    if (place.failures >= failuresToOpen) {
      place.pauseMs = Math.min(place.pauseMs * 2, maxPauseMs)
      place.openUntil = now() + place.pauseMs
    }
    places.delete(key)
    places.set(key, place)
    for (const oldest of places.keys()) {
      if (places.size <= maxTrackedKeys) break
      places.delete(oldest)
    }
  }

  return {
    /** Whether the last call there failed. */
    isFailing: (key: string): boolean => places.has(key),
    /** Runs it, unless one of these targets is paused and the caller does not insist. Errors count for those in `counts`. */
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
