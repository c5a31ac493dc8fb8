import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

/** Erases Meta's message ids, because they contain the recipient's number. */
export async function eraseCloudSends(scope: Scope, sends: { whatsappId: number; wid: string }[]): Promise<void> {
  if (!sends.length) return
  await sql`
    delete from "cloudSends" s using unnest(${sends.map((s) => s.whatsappId)}::int[], ${sends.map((s) => s.wid)}::text[]) g (line, wid)
    where s."companyId" = ${scope.companyId} and s."whatsappId" = g.line and s.wid = g.wid`.execute(scope.db)
}

/** Erases a person: deletes their unprocessed events; events of other people in the same webhook call stay. */
export async function eraseFromCloudInbox(scope: Scope, values: string[]): Promise<void> {
  const isTheirs = sql`exists (select from unnest(${values}::text[]) said where strpos(e::text, said) > 0)`
  await sql`
    update "cloudInbox" i set events = (
      select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(i.events) e where not ${isTheirs})
    where i."companyId" = ${scope.companyId} and jsonb_typeof(i.events) = 'array'
      and exists (select from jsonb_array_elements(i.events) e where ${isTheirs})`.execute(scope.db)
}
