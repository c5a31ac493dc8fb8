import type pg from 'pg'
import type { Log } from '../log.ts'

const flushIntervalMs = 2000

/**
 * Merges the pending list of a search index. New rows go to this list, which every search must scan. Merging takes
 * longer than storing a row may take, so it is done here in the background. Several processes may do it at once.
 */
export function startSearchIndexFlush(owner: pg.Pool, index: string, log: Log) {
  let flushing: Promise<unknown> | null = null
  const flush = () => {
    flushing ??= owner
      .query('select gin_clean_pending_list($1)', [index])
      .catch((err) => log.warn({ err }, 'could not maintain the search index'))
      .finally(() => {
        flushing = null
      })
  }
  const timer = setInterval(flush, flushIntervalMs)
  timer.unref()
  return {
    async close(): Promise<void> {
      clearInterval(timer)
      await flushing
    },
  }
}
