/** Cache size for the keys of all lines, in characters: the session of an active customer has some three thousand. */
const maxCacheChars = 16 * 1024 * 1024
/** What an entry costs beyond its text, in characters. */
const entryOverheadChars = 200

/**
 * A cache of recently used keys of all lines in this process; a key that does not exist is cached as null. While this
 * process has a line's connection, only this process writes the line's keys (`makeSignalKeys` begins with an empty cache).
 */
export function makeKeyCache(limit = maxCacheChars) {
  const values = new Map<string, string | null>()
  let size = 0
  const cost = (name: string, value: string | null) => name.length + (value?.length ?? 0) + entryOverheadChars

  function drop(name: string): void {
    const value = values.get(name)
    if (value === undefined) return
    values.delete(name)
    size -= cost(name, value)
  }
  return {
    get(name: string): string | null | undefined {
      const value = values.get(name)
      if (value === undefined) return undefined
      values.delete(name)
      values.set(name, value)
      return value
    },
    set(name: string, value: string | null): void {
      drop(name)
      values.set(name, value)
      size += cost(name, value)
      for (const oldest of values.keys()) {
        if (size <= limit) break
        drop(oldest)
      }
    },
    deleteByPrefix(prefix: string): void {
      for (const name of values.keys()) if (name.startsWith(prefix)) drop(name)
    },
    get size(): number {
      return size
    },
  }
}
export type KeyCache = ReturnType<typeof makeKeyCache>
