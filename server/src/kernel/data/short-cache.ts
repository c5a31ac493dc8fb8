const ttlMs = 1000
const maxEntries = 5000

/**
 * Caches results for one second: a screen that opens makes ten calls, and each would look up the caller. Code that
 * notices a change calls `forget`; the limit of one second covers changes without a notification.
 */
export function makeShortCache<V>(load: (key: string) => Promise<V>) {
  let answers = new Map<string, { value: Promise<V>; until: number }>()
  return {
    get(key: string): Promise<V> {
      const cached = answers.get(key)
      if (cached && cached.until > performance.now()) return cached.value
      if (answers.size >= maxEntries) answers = new Map()
      const entry = { value: load(key), until: performance.now() + ttlMs }
      answers.set(key, entry)
      // A failure is not cached.
      entry.value.catch(() => answers.get(key) === entry && answers.delete(key))
      return entry.value
    },
    clear(): void {
      answers = new Map()
    },
  }
}
