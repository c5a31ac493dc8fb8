import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

/** Deletes stored API responses that contain an erased person's values, before they expire. */
export async function eraseStoredReplies(scope: Scope, values: string[]): Promise<void> {
  await sql`
    delete from "apiCalls" a where a."companyId" = ${scope.companyId}
      and exists (select from unnest(${values}::text[]) said where strpos(a.reply::text, said) > 0)`.execute(scope.db)
}
