import { sql } from 'kysely'
import { type Known, says } from '../../directory/contacts/known.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { dropFiles } from '../../kernel/files/media.ts'
import { renewLast } from './store.ts'

export type ErasedMessage = { whatsappId: number; wid: string; ticketId: number | null; inGroup: boolean }
type Row = ErasedMessage & { mediaPath: string | null; voicePath: string | null }

/** Some of what was said with them, and of what they said in groups, with its files. An empty answer: nothing is left. */
export async function eraseMessages(scope: Scope, { ids }: Known, limit: number): Promise<ErasedMessage[]> {
  const { companyId, db } = scope
  const { rows } = await sql<Row>`
    delete from messages m using (
      select id from (
        (select id from messages where "companyId" = ${companyId} and "contactId" = any (${ids}::int[]) limit ${limit})
        union
        (select id from messages where "companyId" = ${companyId} and "senderId" = any (${ids}::int[]) limit ${limit})
      ) both_ways limit ${limit}
    ) gone
    where m."companyId" = ${companyId} and m.id = gone.id
    returning m."whatsappId", m.wid, m."ticketId", m."contactId" <> all (${ids}::int[]) as "inGroup",
      m."mediaPath", m."sendAs" #>> '{voice,path}' as "voicePath"`.execute(db)
  await dropFiles(
    scope,
    rows.flatMap(({ mediaPath, voicePath }) => [mediaPath, voicePath]),
  )
  const groups = rows.flatMap(({ inGroup, ticketId }) => (inGroup && ticketId !== null ? [ticketId] : []))
  for (const ticketId of new Set(groups)) await renewLast(scope, ticketId)
  return rows.map(({ whatsappId, wid, ticketId, inGroup }) => ({ whatsappId, wid, ticketId, inGroup }))
}

/** Their signs under what others said in groups. */
export async function eraseReactions(scope: Scope, { values }: Known): Promise<void> {
  await sql`
    update messages m set reactions = (
      select coalesce(jsonb_agg(r), '[]') from jsonb_array_elements(m.reactions) r where not ${says('r', values)})
    from tickets t
    where t."companyId" = ${scope.companyId} and t."isGroup" and m."companyId" = t."companyId" and m."ticketId" = t.id
      and m.reactions <> '[]' and ${says('m.reactions', values)}`.execute(scope.db)
}

/** What a line was still to do for them. */
export async function eraseErrands(scope: Scope, { ids, values }: Known): Promise<void> {
  await sql`
    delete from "lineErrands" e where e."companyId" = ${scope.companyId}
      and ((e.errand ->> 'contactId')::int = any (${ids}::int[]) or ${says('e.errand', values)})`.execute(scope.db)
}
