const ttlMs = 1000
const maxEntries = 5000

/**
 * Caches answers for one second: a screen that opens makes ten calls, and each would look up the caller. Code that
 * knows of a change calls `forget`; the second only covers changes without a notification.
 */
export function makeShortCache<V>(look: (key: string) => Promise<V>) {
  let answers = new Map<string, { value: Promise<V>; until: number }>()
  return {
    get(key: string): Promise<V> {
      const known = answers.get(key)
      if (known && known.until > performance.now()) return known.value
      if (answers.size >= maxEntries) answers = new Map()
      const made = { value: look(key), until: performance.now() + ttlMs }
      answers.set(key, made)
      // A failure is not cached.
      made.value.catch(() => answers.get(key) === made && answers.delete(key))
      return made.value
    },
    clear(): void {
      answers = new Map()
    },
  }
}
