import type { RecordDefinition } from '@recado/contract/endpoint'
import { fold } from '@recado/contract/text/fold'
import type { RecordNews } from '@recado/contract/topic'

export type RecordRow = { id: number }

/** The loaded state of a list: its rows, the total count, and the next page. */
export type LoadedRows<R> = RowPage<R> & { pageSize: number; next: number }
/** `isLowerBound`: the server stopped counting at `count`, so there are more rows. */
export type RowPage<R> = { rows: R[]; count: number; hasMore: boolean; isLowerBound?: boolean }

/** The server's filter and order of a list, so that events can be applied without a reload. */
export type ListRules<R> = {
  matches: (row: R, search: string) => boolean
  order: (a: R, b: R) => number
}

export const noRowsLoaded = { rows: [], count: 0, hasMore: true, isLowerBound: false, pageSize: 0, next: 1 }

/** Adds a page: known rows are replaced in place, new rows go after their predecessor on the server. */
export function mergePage<R extends RecordRow>(loaded: LoadedRows<R>, page: RowPage<R>, number: number): LoadedRows<R> {
  const rows = [...loaded.rows]
  const place = new Map(rows.map((row, index) => [row.id, index]))
  const newRows: { row: R; after: number | undefined }[] = []
  page.rows.forEach((row, i) => {
    const known = place.get(row.id)
    if (known === undefined) newRows.push({ row, after: page.rows[i - 1]?.id })
    else rows[known] = row
  })
  for (const { row, after } of newRows) {
    const at = after === undefined ? -1 : rows.findLastIndex((other) => other.id === after)
    if (at < 0) rows.push(row)
    else rows.splice(at + 1, 0, row)
  }
  const pageSize = Math.max(loaded.pageSize, page.rows.length)
  // Deletions move rows of the next page into this page, so the number of the next page follows from the loaded rows.
  const next = newRows.length > 0 ? nextPage(rows, pageSize) : number + 1
  return { rows, count: page.count, hasMore: page.hasMore, isLowerBound: page.isLowerBound === true, pageSize, next }
}

const nextPage = (rows: unknown[], pageSize: number) => (pageSize ? Math.floor(rows.length / pageSize) + 1 : 1)

/** Applies an event to the list. `recount` when only the server knows the new count. */
export function applyRecordNews<R extends RecordRow>(
  loaded: LoadedRows<R>,
  news: RecordNews<R>,
  search: string,
  rules: ListRules<R>,
): { loaded: LoadedRows<R>; recount: boolean } {
  const id = news.action === 'delete' ? news.id : news.row.id
  const known = loaded.rows.find((row) => row.id === id)
  if (news.action === 'delete' || !rules.matches(news.row, search)) {
    return known ? { loaded: removeRow(loaded, id), recount: false } : { loaded, recount: loaded.hasMore }
  }
  if (known && rules.order(known, news.row) === 0) return { loaded: replaceRow(loaded, news.row), recount: false }
  const base = known ? removeRow(loaded, id) : loaded
  const at = base.rows.findIndex((row) => rules.order(news.row, row) < 0)
  // A row beyond the last loaded row is loaded with its page.
  if (at < 0 && base.hasMore) return { loaded: { ...base, count: loaded.count }, recount: !known }
  const rows = base.rows.toSpliced(at < 0 ? base.rows.length : at, 0, news.row)
  const isNew = !known && (news.action === 'create' || !base.hasMore)
  return {
    loaded: { ...base, rows, count: isNew ? loaded.count + 1 : loaded.count, next: nextPage(rows, base.pageSize) },
    recount: !known && !isNew,
  }
}

function removeRow<R extends RecordRow>(loaded: LoadedRows<R>, id: number): LoadedRows<R> {
  const rows = loaded.rows.filter((row) => row.id !== id)
  return { ...loaded, rows, count: loaded.count - 1, next: nextPage(rows, loaded.pageSize) }
}

const replaceRow = <R extends RecordRow>(loaded: LoadedRows<R>, row: R): LoadedRows<R> => ({
  ...loaded,
  rows: loaded.rows.map((other) => (other.id === row.id ? row : other)),
})

// ---- The two usual list rules: order and search

/** Sorts by lower-case text, then id. Texts are compared by code point, as in the server's database. */
export const compareByText =
  <R extends RecordRow>(text: (row: R) => string) =>
  (a: R, b: R): number => {
    const [x, y] = [text(a).toLowerCase(), text(b).toLowerCase()]
    return x === y ? a.id - b.id : x < y ? -1 : 1
  }
export const newestFirst = (a: RecordRow, b: RecordRow): number => b.id - a.id
export const oldestFirst = (a: RecordRow, b: RecordRow): number => a.id - b.id

/** Matches a part of any of these texts, folded as on the server. */
export const matchesSearchIn =
  <R>(...texts: ((row: R) => string | null)[]) =>
  (row: R, search: string): boolean =>
    search === '' || texts.some((text) => fold(text(row) ?? '').includes(fold(search)))

/** The list rules, from the same record definition that the server uses. */
export function listRulesOf<R extends RecordRow>({ search, newestFirst: newest }: RecordDefinition): ListRules<R> {
  const [first, ...rest] = search.map((key) => (row: R) => String(row[key as keyof R] ?? ''))
  if (!first) throw new Error('nothing to search by')
  return { matches: matchesSearchIn(first, ...rest), order: newest ? newestFirst : compareByText(first) }
}
