import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'

/** Erases a person from the test phone. */
export async function eraseFromTestPhone(
  scope: Scope,
  { values, chats }: { values: string[]; chats: string[] },
): Promise<void> {
  const { companyId, db } = scope
  const { rows } = await sql<{ mediaPath: string | null }>`
    delete from "sandboxMessages" where "companyId" = ${companyId}
      and (chat = any (${chats}::text[]) or author = any (${values}::text[])) returning "mediaPath"`.execute(db)
  await scheduleFileRemoval(
    scope,
    rows.map(({ mediaPath }) => mediaPath),
  )
  await sql`delete from "sandboxCustomers" where "companyId" = ${companyId} and number = any (${chats}::text[])`.execute(
    db,
  )
  await sql`
    update "sandboxCustomers" c set members = array(select m from unnest(c.members) m where m <> all (${values}::text[]))
    where c."companyId" = ${companyId} and c.members && ${values}::text[]`.execute(db)
}
