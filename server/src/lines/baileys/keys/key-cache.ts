/** As much as this is kept of all lines' keys together, in characters: a busy customer's session has some three thousand. */
const maxCacheChars = 16 * 1024 * 1024
/** What an entry costs beyond its text. */
const entryOverheadChars = 200

/**
 * Keys that were used last, of all lines of this process; a key that is known not to exist is remembered as null. What
 * a line holds is its own: nobody else writes its rows while its connection stands here (`makeKeys` begins with nothing).
 */
export function makeKeyCache(limit = maxCacheChars) {
  const kept = new Map<string, string | null>()
  let size = 0
  const cost = (name: string, value: string | null) => name.length + (value?.length ?? 0) + entryOverheadChars

  function drop(name: string): void {
    const value = kept.get(name)
    if (value === undefined) return
    kept.delete(name)
    size -= cost(name, value)
  }
  return {
    get(name: string): string | null | undefined {
      const value = kept.get(name)
      if (value === undefined) return undefined
      kept.delete(name)
      kept.set(name, value)
      return value
    },
    set(name: string, value: string | null): void {
      drop(name)
      kept.set(name, value)
      size += cost(name, value)
      for (const oldest of kept.keys()) {
        if (size <= limit) break
        drop(oldest)
      }
    },
    forget(prefix: string): void {
      for (const name of kept.keys()) if (name.startsWith(prefix)) drop(name)
    },
    get size(): number {
      return size
    },
  }
}
export type KeyCache = ReturnType<typeof makeKeyCache>
