/** A seeded random generator: the demo has the same stories in every run. */
export type StoryRandom = {
  /** A random number of at least `from` and below `to`. */
  between(from: number, to: number): number
  integer(from: number, to: number): number
  withProbability(share: number): boolean
  pick<T>(of: readonly T[]): T
  shuffle<T>(of: readonly T[]): T[]
}

/** Mulberry32: small, and good enough for demo data. */
export function makeStoryRandom(seed: number): StoryRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    between: (from, to) => from + next() * (to - from),
    integer: whole,
    withProbability: (share) => next() < share,
    pick: <T>(of: readonly T[]) => of[whole(0, of.length - 1)] as T,
    shuffle: <T>(of: readonly T[]) => {
      const rest = [...of]
      return of.map(() => rest.splice(whole(0, rest.length - 1), 1)[0] as T)
    },
  }
}
