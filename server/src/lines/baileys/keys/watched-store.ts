import type { Deps } from '../../../kernel/data/scope.ts'

/** The database of a line, which reports failures. */
export type WatchedStore = {
  deps: Deps
  /** Reports a failure that is no failed query, before it is thrown. */
  reportFailure(error: unknown): void
  /** Calls the listener on each failure, before whoever made the query learns of it; replaces the listener before. */
  onFailure(listener: (error: unknown) => void): void
}

/**
 * Watches the queries of a line. The library takes a failed read for a missing key and acknowledges the message as
 * unreadable, and after a failed write it refuses the message: a phone that cannot send it again would lose it. So the
 * connection ends first.
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
    reportFailure: (error) => report(error),
    onFailure: (listener) => {
      report = listener
    },
  }
}
