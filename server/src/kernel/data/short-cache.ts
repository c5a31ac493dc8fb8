const ttlMs = 1000
const maxEntries = 5000

/**
 * Answers that many ask for within the same second: a screen that opens makes ten calls, and each would look up who
 * asks. Whoever knows that something changed calls `forget`; the second is only for what nobody heard of.
 */
export function makeShortCache<V>(look: (key: string) => Promise<V>) {
  let answers = new Map<string, { value: Promise<V>; until: number }>()
  return {
    of(key: string): Promise<V> {
      const known = answers.get(key)
      if (known && known.until > performance.now()) return known.value
      if (answers.size >= maxEntries) answers = new Map()
      const made = { value: look(key), until: performance.now() + ttlMs }
      answers.set(key, made)
      // A failure is not an answer.
      made.value.catch(() => answers.get(key) === made && answers.delete(key))
      return made.value
    },
    forget(): void {
      answers = new Map()
    },
  }
}
