import { sql } from 'kysely'
import type { ErasedMessage } from '../../desk/messages/erase.ts'
import { type ContactReferences, containsAnyText } from '../../directory/contacts/contact-references.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/** Deletes the journal entries of these group messages, which cannot be found by the contact's chat. */
export async function eraseGroupEvents(scope: Scope, messages: ErasedMessage[]): Promise<void> {
  const inGroups = messages.filter(({ inGroup }) => inGroup)
  if (!inGroups.length) return
  await sql`
    delete from journal j using unnest(${inGroups.map((m) => m.whatsappId)}::int[], ${inGroups.map((m) => `message:${m.wid}`)}::text[]) g (line, event)
    where j."companyId" = ${scope.companyId} and j."whatsappId" = g.line and j."eventId" = g.event`.execute(scope.db)
}

/** Deletes the journal entries of these tickets from before that moment. Entries that are not handled yet stay. */
export async function eraseEventsBefore(scope: Scope, ticketIds: number[], before: string): Promise<void> {
  await sql`
    delete from journal where "companyId" = ${scope.companyId} and "ticketId" = any (${ticketIds}::int[])
      and "receivedAt" < ${before} and "processedAt" is not null`.execute(scope.db)
}

/** Erases a contact from the journal: events from the contact or about the contact's tickets, also in groups. */
export async function eraseJournalOfContact(scope: Scope, { ids, values, chats }: ContactReferences): Promise<void> {
  const { companyId, db } = scope
  await sql`
    delete from journal j using tickets t where t."companyId" = ${companyId} and t."contactId" = any (${ids}::int[])
      and j."companyId" = ${companyId} and j."ticketId" = t.id`.execute(db)
  await sql`
    delete from journal j using whatsapps w where w."companyId" = ${companyId}
      and j."companyId" = ${companyId} and j."whatsappId" = w.id and j.chat = any (${chats}::text[])`.execute(db)
  await sql`
    delete from journal j using tickets t where t."companyId" = ${companyId} and t."isGroup"
      and j."companyId" = ${companyId} and j."ticketId" = t.id and ${containsAnyText('j.event', values)}`.execute(db)
}
