import { sql } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'

/** Days after the due date in which all features still work: set by the super user, 0 on a new install. */
export const graceDaysSql = `coalesce((select value::int from "platformSettings" where key = 'graceDays'), 0)`
export const graceDaysExpression = sql<number>`${sql.raw(graceDaysSql)}`

export const readGraceDays = async (scope: Scope): Promise<number> =>
  (await sql<{ days: number }>`select ${graceDaysExpression} as days`.execute(scope.db)).rows[0]?.days ?? 0

export async function writeGraceDays(scope: Scope, days: number): Promise<void> {
  const value = String(days)
  await scope.db
    .insertInto('platformSettings')
    .values({ key: 'graceDays', value })
    .onConflict((c) => c.column('key').doUpdateSet({ value }))
    .execute()
}
