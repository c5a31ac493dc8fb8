import { sql } from 'kysely'
import { type ContactReferences, containsAnyText } from '../../directory/contacts/contact-references.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'
import { refreshLastMessage } from './store.ts'

export type ErasedMessage = { whatsappId: number; wid: string; ticketId: number | null; inGroup: boolean }
type ErasedRow = ErasedMessage & { mediaPath: string | null; voicePath: string | null }

/**
 * Deletes a batch of the contact's messages, also in groups, with their files. An empty result means that nothing is
 * left.
 */
export async function eraseMessages(scope: Scope, { ids }: ContactReferences, limit: number): Promise<ErasedMessage[]> {
  const { companyId, db } = scope
  const { rows } = await sql<ErasedRow>`
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
  await scheduleFileRemoval(
    scope,
    rows.flatMap(({ mediaPath, voicePath }) => [mediaPath, voicePath]),
  )
  const groups = rows.flatMap(({ inGroup, ticketId }) => (inGroup && ticketId !== null ? [ticketId] : []))
  for (const ticketId of new Set(groups)) await refreshLastMessage(scope, ticketId)
  return rows.map(({ whatsappId, wid, ticketId, inGroup }) => ({ whatsappId, wid, ticketId, inGroup }))
}

/** Deletes the contact's reactions to messages of others in groups. */
export async function eraseReactions(scope: Scope, { values }: ContactReferences): Promise<void> {
  await sql`
    update messages m set reactions = (
      select coalesce(jsonb_agg(r), '[]') from jsonb_array_elements(m.reactions) r where not ${containsAnyText('r', values)})
    from tickets t
    where t."companyId" = ${scope.companyId} and t."isGroup" and m."companyId" = t."companyId" and m."ticketId" = t.id
      and m.reactions <> '[]' and ${containsAnyText('m.reactions', values)}`.execute(scope.db)
}

/** Deletes pending line tasks for the contact. */
export async function eraseLineTasks(scope: Scope, { ids, values }: ContactReferences): Promise<void> {
  await sql`
    delete from "lineErrands" e where e."companyId" = ${scope.companyId}
      and ((e.errand ->> 'contactId')::int = any (${ids}::int[]) or ${containsAnyText('e.errand', values)})`.execute(
    scope.db,
  )
}
