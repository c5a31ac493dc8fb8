import type { Deps } from '../../../kernel/data/scope.ts'

/** The database of a line, which reports failed queries. */
export type WatchedStore = {
  deps: Deps
  /** Calls the listener on each failed query, before whoever made the query learns of it; replaces the listener before. */
  onFailure(listener: (error: unknown) => void): void
}

/**
 * Watches the queries of a line. The library takes a failed read for a missing key and acknowledges the message as
 * unreadable, so that a phone that cannot send it again would lose it. So the connection ends first.
 */
export function watchStore(deps: Deps): WatchedStore {
  let report: (error: unknown) => void = () => {}
  const queryPrepared: Deps['database']['queryPrepared'] = async (...args) => {
    try {
      return await deps.database.queryPrepared(...args)
    } catch (error) {
      report(error)
      throw error
    }
  }
  return {
    deps: { ...deps, database: { ...deps.database, queryPrepared } },
    onFailure: (listener) => {
      report = listener
    },
  }
}
