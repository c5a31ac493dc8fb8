import type pg from 'pg'
import type { Log } from '../log.ts'

const pollMs = 3000
/**
 * With fewer rows than the first number any plan is fast; with more rows than the second, existing statistics suffice.
 */
const [fewRows, manyRows] = [200, 10_000]

/**
 * Analyzes a table that has grown by half since its last analysis. Autovacuum does so about every minute, and
 * until then plans with old numbers: on a server that filled within seconds, a campaign's first answers were found
 * by scanning all rows instead of by key, at ten times the cost. Several processes may do it at once.
 */
export function startTableAnalysis(owner: pg.Pool, log: Log) {
  let analysis: Promise<unknown> | null = null
  async function analyzeGrownTables(): Promise<void> {
    const { rows } = await owner.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_stat_user_tables
       where schemaname = 'public' and n_mod_since_analyze > greatest(${fewRows}, n_live_tup / 2)
         and n_live_tup - n_mod_since_analyze < ${manyRows}`,
    )
    for (const { name } of rows) await owner.query(`analyze (skip_locked) public.${name}`)
  }
  const timer = setInterval(() => {
    analysis ??= analyzeGrownTables()
      .catch((err) => log.warn({ err }, 'how full the tables are could not be found out'))
      .finally(() => {
        analysis = null
      })
  }, pollMs)
  timer.unref()
  return {
    async close(): Promise<void> {
      clearInterval(timer)
      await analysis
    },
  }
}
