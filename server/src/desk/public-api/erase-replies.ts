import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

/** Somebody is erased: answers to programs that name them go before their day is over. */
export async function eraseStoredReplies(scope: Scope, values: string[]): Promise<void> {
  await sql`
    delete from "apiCalls" a where a."companyId" = ${scope.companyId}
      and exists (select from unnest(${values}::text[]) said where strpos(a.reply::text, said) > 0)`.execute(scope.db)
}
