import type { Database } from './database.ts'
import type { Scope } from './scope.ts'

/** The id of a row, and a version stamp that changes with everything that is part of the row's text. */
export type RowVersion = { id: number; stamp: string }
type CachedRow = RowVersion & { text: string }
type Rows = Map<number, CachedRow>
type LoadRows = (ids: number[]) => Promise<CachedRow[]>

/** Rows of a page, each as `id:stamp`, separated by |. */
export const parseRowVersions = (page: string | null | undefined): RowVersion[] =>
  page
    ? page.split('|').map((entry) => {
        const at = entry.indexOf(':')
        return { id: Number(entry.slice(0, at)), stamp: entry.slice(at + 1) }
      })
    : []

/**
 * A cache of finished row texts for pages: a row that did not change since the last page is not read and shaped again.
 * The database returns the current stamp of each row, so a cached text is never stale, whichever process changed the row.
 * Each company has its own cache; the least recently used caches are evicted first.
 */
function makeTextMemory(maxChars: number) {
  let young = new Map<number, Rows>()
  let old = new Map<number, Rows>()
  let charCount = 0
  function cacheRow(companyId: number, row: CachedRow): void {
    // Half of the space is for entries that were used since the other half was filled.
    if (charCount > maxChars / 2) {
      old = young
      young = new Map()
      charCount = 0
    }
    const rows = young.get(companyId) ?? new Map<number, CachedRow>()
    young.set(companyId, rows)
    charCount += row.text.length - (rows.get(row.id)?.text.length ?? 0)
    rows.set(row.id, row)
  }
  function find(companyId: number, { id, stamp }: RowVersion): string | undefined {
    const known = young.get(companyId)?.get(id)
    if (known?.stamp === stamp) return known.text
    const before = old.get(companyId)?.get(id)
    if (before?.stamp !== stamp) return undefined
    cacheRow(companyId, before)
    return before.text
  }
  return { keep: cacheRow, find }
}

/** Makes a cache, of which each server has its own. */
export function makeRowTextCache(maxChars: number) {
  const cacheByDatabase = new WeakMap<Database, ReturnType<typeof makeTextMemory>>()
  /** Rows as texts, in order; `loadRows` reads the missing ones. A row that it does not find was deleted and is left out. */
  return async (scope: Scope, rows: RowVersion[], loadRows: LoadRows): Promise<{ id: number; text: string }[]> => {
    const { companyId, deps } = scope
    const texts = cacheByDatabase.get(deps.database) ?? makeTextMemory(maxChars)
    cacheByDatabase.set(deps.database, texts)
    const found = new Map<number, string>()
    const missing: number[] = []
    for (const row of rows) {
      const text = texts.find(companyId, row)
      if (text === undefined) missing.push(row.id)
      else found.set(row.id, text)
    }
    for (const made of missing.length ? await loadRows(missing) : []) {
      texts.keep(companyId, made)
      found.set(made.id, made.text)
    }
    return rows.flatMap(({ id }) => {
      const text = found.get(id)
      return text === undefined ? [] : { id, text }
    })
  }
}
