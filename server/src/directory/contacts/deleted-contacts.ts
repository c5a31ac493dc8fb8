import {
  type ContactDetail,
  type contactsApi,
  type DeletedContact,
  deletedContactDays,
} from '@recado/contract/contacts'
import type { ParsedInput, Reply } from '@recado/contract/endpoint'
import { fold } from '@recado/contract/text/fold'
import { type Selectable, sql } from 'kysely'
import { eraseFromAudit, writeAudit, writeContactAudit } from '../../accounts/api-access/audit.ts'
import { addMs, days } from '../../kernel/clock.ts'
import { likePattern, recordsPerPage } from '../../kernel/data/records.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { fileNameInUrl, scheduleFileRemoval } from '../../kernel/files/media.ts'
import { asLongRunningJob, type JobHandlers } from '../../kernel/jobs.ts'
import { eraseContactEvents } from '../webhooks/webhook-events.ts'
import type { ContactDeskActions } from './contact-desk-actions.ts'
import { type ContactReferences, loadContactReferences } from './contact-references.ts'
import {
  type ContactRow,
  findContact,
  presentContactDetail,
  publishContactDeleted,
  publishContacts,
  waitForContactTurn,
} from './contact-store.ts'
import { mergeContacts } from './merge-contacts.ts'
import { assertSeesConversations } from './write-contact.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'contacts:purge': Record<string, never>
  }
}

type DeletedContactRow = Selectable<DB['deletedContacts']>
const retentionMs = days(deletedContactDays)
/** The author of automatic purges. */
const systemAuthor = { id: null, name: 'Recado' }

/**
 * Deletes a contact with its conversations, and stores a copy of the rows (migration 0276): they disappear from every
 * list, search and report at once, and can be restored. The files stay until the contact is purged.
 */
export async function deleteContact(scope: Scope, id: number, desk: ContactDeskActions): Promise<void> {
  await waitForContactTurn(scope)
  const contact = await findContact(scope, id, false)
  await assertSeesConversations(scope, [id], desk)
  const { ids, values } = await loadContactReferences(scope, id)
  const tickets = await lockContactsAndTickets(scope, ids)
  const { companyId, db, person } = scope
  const { rows } = await sql<{ messages: number }>`
    select count(*)::int as messages from messages where "companyId" = ${companyId} and "contactId" = any(${ids}::int[])`.execute(
    db,
  )
  const { id: deletedId } = await db
    .insertInto('deletedContacts')
    .values({
      ...{ companyId, contactId: id, name: contact.name, number: contact.number, isGroup: contact.isGroup },
      ...{ identities: values, tickets: tickets.length, messages: rows[0]?.messages ?? 0, deletedAt: scope.now() },
      ...{ userId: person?.id ?? null, userName: person?.name ?? '', keyName: person?.key?.name ?? '' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`select archive_contact(${companyId}::int, ${deletedId}::int, ${ids}::int[])`.execute(db)
  await desk.onDeleting(scope, id, tickets, true)
  await eraseContactEvents(scope, id)
  await db.deleteFrom('contacts').where('companyId', '=', companyId).where('id', '=', id).execute()
  publishContactDeleted(scope, id)
  await writeContactAudit(scope, 'contact.deleted', contact)
}

/** Blocks new messages in these conversations until the transaction ends: they would be deleted without a copy. */
async function lockContactsAndTickets(scope: Scope, contactIds: number[]): Promise<number[]> {
  await sql`
    select id from contacts where "companyId" = ${scope.companyId} and id = any(${contactIds}::int[])
    order by id for update`.execute(scope.db)
  const { rows } = await sql<{ id: number }>`
    select id from tickets where "companyId" = ${scope.companyId} and "contactId" = any(${contactIds}::int[])
    order by id for update`.execute(scope.db)
  return rows.map(({ id }) => id)
}

const presentDeletedContact = (row: DeletedContactRow): DeletedContact => ({
  ...{ id: row.id, contactId: row.contactId, name: row.name, number: row.number, isGroup: row.isGroup },
  ...{ tickets: row.tickets, messages: row.messages, deletedAt: row.deletedAt },
  by: { id: row.userId ?? 0, name: row.userName },
  key: row.keyName || null,
  until: addMs(new Date(row.deletedAt), retentionMs).toISOString(),
})

type DeletedContactQuery = ParsedInput<typeof contactsApi.deleted>['query']
export async function listDeletedContacts(
  scope: Scope,
  { searchParam, pageNumber }: DeletedContactQuery,
): Promise<Reply<typeof contactsApi.deleted>> {
  const pattern = likePattern(fold(searchParam))
  const found = sql`from "deletedContacts" where "companyId" = ${scope.companyId}
    and (${searchParam} = '' or fold(name) like ${pattern} or number like ${pattern})`
  const counted = await sql<{ count: number }>`select count(*)::int as count ${found}`.execute(scope.db)
  const offset = (pageNumber - 1) * recordsPerPage
  const { rows } =
    await sql<DeletedContactRow>`select * ${found} order by id desc limit ${recordsPerPage} offset ${offset}`.execute(
      scope.db,
    )
  const count = counted.rows[0]?.count ?? 0
  return { deleted: rows.map(presentDeletedContact), count, hasMore: offset + rows.length < count }
}

async function lockDeletedContact(scope: Scope, id: number): Promise<DeletedContactRow> {
  const row = await scope.db
    .selectFrom('deletedContacts')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_DELETEDCONTACT_FOUND')
  return row
}

/**
 * Restores a contact. A customer who has written since the deletion has a new contact: the two are merged, as when a line
 * finds that two contacts are one person.
 */
export async function restoreContact(scope: Scope, id: number, desk: ContactDeskActions): Promise<ContactDetail> {
  await waitForContactTurn(scope)
  const deleted = await lockDeletedContact(scope, id)
  const { companyId, db } = scope
  const { rows: taken } = await sql<{ contactId: number; kind: string }>`
    delete from "deletedContactRows" d using "contactIdentities" i
    where d."companyId" = ${companyId} and d."deletedId" = ${id} and d."tableName" = 'contactIdentities' and d.link = ''
      and i."companyId" = ${companyId} and i.kind = d.row ->> 'kind' and i.value = d.row ->> 'value'
    returning i."contactId", i.kind`.execute(db)
  // Deletes copies of rows whose table no longer exists in this version.
  await sql`delete from "deletedContactRows" where "companyId" = ${companyId} and "deletedId" = ${id}
    and to_regclass(quote_ident("tableName")) is null`.execute(db)
  await silenceRestoredRows(scope, id)
  await sql`select restore_contact(${companyId}::int, ${id}::int)`.execute(db)
  await db.deleteFrom('deletedContacts').where('companyId', '=', companyId).where('id', '=', id).execute()
  const back = await findContact(scope, deleted.contactId)
  await publishContacts(scope, 'update', [back])
  await desk.onRestored(scope, back.id)
  await writeContactAudit(scope, 'contact.restored', back)
  const [holder] = taken
  const contact: ContactRow = holder
    ? (await mergeContacts(scope, holder.contactId, back.id, holder.kind, desk)).kept
    : back
  return presentContactDetail(scope, contact)
}

/** Marks messages that were pending at the deletion as failed: they must not be sent weeks later. */
async function silenceRestoredRows(scope: Scope, id: number): Promise<void> {
  const rows = sql`"companyId" = ${scope.companyId} and "deletedId" = ${id} and link = ''`
  await sql`
    update "deletedContactRows" set row = row || '{"state": "failed", "error": "contact-gone"}'
    where ${rows} and "tableName" = 'messages' and row ->> 'state' in ('queued', 'sending')`.execute(scope.db)
  await sql`
    update "deletedContactRows" set row = row || jsonb_build_object('laneSayAt', null, 'botLeft', true, 'updatedAt', ${scope.now()}::timestamptz)
    where ${rows} and "tableName" = 'tickets' and row ->> 'status' <> 'closed'`.execute(scope.db)
}

/** Deletes a contact permanently, with its files. The audit keeps who did what to which id. */
export async function purgeContact(
  scope: Scope,
  id: number,
  by: Parameters<typeof writeAudit>[4] = scope.person,
): Promise<void> {
  const { contactId } = await lockDeletedContact(scope, id)
  await purgeRows(scope, id)
  await writeAudit(scope, 'contact.purged', contactId, '', by)
}

async function purgeRows(scope: Scope, id: number): Promise<void> {
  const { companyId, db } = scope
  type KeptFiles = {
    contactId: number | null
    mediaPath: string | null
    voicePath: string | null
    portrait: string | null
  }
  const { rows } = await sql<KeptFiles>`
    select case when "tableName" = 'contacts' then (row ->> 'id')::int end as "contactId", row ->> 'mediaPath' as "mediaPath",
      row #>> '{sendAs,voice,path}' as "voicePath", row ->> 'profilePicUrl' as portrait
    from "deletedContactRows" where "companyId" = ${companyId} and "deletedId" = ${id} and link = ''
      and ("tableName" = 'contacts' or row ->> 'mediaPath' is not null)`.execute(db)
  await scheduleFileRemoval(
    scope,
    rows.flatMap(({ mediaPath, voicePath, portrait }) => [mediaPath, voicePath, fileNameInUrl(portrait)]),
  )
  await eraseFromAudit(
    scope,
    rows.flatMap(({ contactId }) => contactId ?? []),
  )
  await db.deleteFrom('deletedContacts').where('companyId', '=', companyId).where('id', '=', id).execute()
}

/** Purges data of the person that was deleted before, as a part of an erasure. */
export async function eraseDeletedContacts(scope: Scope, { ids, values }: ContactReferences): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from "deletedContacts" where "companyId" = ${scope.companyId}
      and ("contactId" = any(${ids}::int[]) or identities && ${values}::text[])`.execute(scope.db)
  for (const { id } of rows) await purgeRows(scope, id)
}

/** Rows per step. */
const batchSize = 200

export const deletedContactJobs = (deps: Deps): Pick<JobHandlers, 'contacts:purge'> => ({
  'contacts:purge': asLongRunningJob(async () => {
    for (;;) {
      const { rows } = await sql<{ id: number; companyId: number }>`
        select id, "companyId" from "deletedContacts" where "deletedAt" < ${addMs(deps.clock.now(), -retentionMs)}
        order by "deletedAt" limit ${batchSize}`.execute(deps.database.platform)
      for (const { id, companyId } of rows)
        await new Scope(deps, { companyId }).transaction((tx) => purgeContact(tx, id, systemAuthor))
      if (rows.length < batchSize) return
    }
  }),
})
