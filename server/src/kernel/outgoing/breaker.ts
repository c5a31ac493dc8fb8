import type { Clock } from '../clock.ts'

/** Not called: what is there has not answered for a while. It may again later. */
export class Resting extends Error {}

/** So many calls in a row that came to nothing, and nobody calls for this long; twice as long each time after it. */
const failures = 5
const firstPause = 60_000
const longestPause = 15 * 60_000
/** More places than anybody calls; those that failed first are forgotten first. */
const mostKeys = 10_000

type Place = { failed: number; pause: number; until: number }
export type Breaker = ReturnType<typeof makeBreaker>

/** Keeps those who call out from waiting again and again for who does not answer. */
export function makeBreaker(clock: Clock) {
  const places = new Map<string, Place>()
  const now = () => clock.now().getTime()

  function check(key: string): void {
    const place = places.get(key)
    if (!place || place.failed < failures) return
    if (place.until > now()) throw new Resting(`${key} does not answer`)
    // One tries it; the others wait for what comes of that.
    place.until = now() + place.pause
  }
  function failed(key: string): void {
    const place = places.get(key) ?? { failed: 0, pause: firstPause / 2, until: 0 }
    place.failed++
    if (place.failed >= failures) {
      place.pause = Math.min(place.pause * 2, longestPause)
      place.until = now() + place.pause
    }
    places.delete(key)
    places.set(key, place)
    for (const oldest of places.keys()) {
      if (places.size <= mostKeys) break
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
