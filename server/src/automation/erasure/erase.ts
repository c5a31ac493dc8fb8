import type { ContactDataSummary, ContactErasure } from '@recado/contract/api-access/export-and-erasure'
import { type Selectable, sql } from 'kysely'
import { eraseFromAudit, writeAudit } from '../../accounts/api-access/audit.ts'
import { eraseFromCampaigns } from '../../desk/campaigns/contact-changes.ts'
import { deskContactHooks } from '../../desk/composition/contact-hooks.ts'
import { eraseLineTasks, eraseMessages, eraseReactions } from '../../desk/messages/erase.ts'
import { eraseStoredReplies } from '../../desk/public-api/erase-replies.ts'
import { eraseSchedules } from '../../desk/schedules/write.ts'
import { eraseFromLists } from '../../directory/contact-lists/erase-contact.ts'
import { type ContactReferences, loadContactReferences } from '../../directory/contacts/contact-references.ts'
import { findContact, waitForContactTurn } from '../../directory/contacts/contact-store.ts'
import { eraseDeletedContacts } from '../../directory/contacts/deleted-contacts.ts'
import { removeContact } from '../../directory/contacts/write-contact.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { asLongRunningJob, type JobHandlers } from '../../kernel/jobs.ts'
import { eraseFromLinkedPhones } from '../../lines/baileys/erase-contact.ts'
import { eraseCloudSends, eraseFromCloudInbox } from '../../lines/cloud/erase-contact.ts'
import { eraseFromTestPhone } from '../../lines/sandbox/erase-contact.ts'
import { eraseDryRuns } from '../flows/dry-run.ts'
import { eraseGroupEvents, eraseJournalOfContact } from '../inbox/erase-journal.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'contact:erase': { companyId: number; erasureId: number }
  }
}

type ErasureRow = Selectable<DB['contactErasures']>

/** Messages per transaction, so that other writers are not blocked. */
const batchSize = 500

/** A summary of a contact's data, shown before the erasure. */
export async function countContactData(scope: Scope, contactId: number): Promise<ContactDataSummary> {
  await findContact(scope, contactId, false)
  const { ids, keys } = await loadContactReferences(scope, contactId)
  const { companyId } = scope
  const theirs = sql`"companyId" = ${companyId} and "contactId" = any (${ids}::int[])`
  const { rows } = await sql<ContactDataSummary>`
    select
      (select count(*)::int from tickets where ${theirs}) as tickets,
      (select count(*)::int from messages where ${theirs}) + (
        select count(*)::int from messages where "companyId" = ${companyId} and "senderId" = any (${ids}::int[])) as messages,
      (select count(*)::int from messages where ${theirs} and "mediaPath" is not null) as files,
      (select count(*)::int from "ticketNotes" where ${theirs}) as notes,
      (select count(*)::int from schedules where ${theirs}) as schedules,
      (select count(*)::int from "campaignShippings" where "companyId" = ${companyId}
        and ("contactId" = any (${ids}::int[]) or key = any (${keys}::text[]))) as campaigns,
      (select count(*)::int from "contactListItems" where "companyId" = ${companyId} and key = any (${keys}::text[])) as lists`.execute(
    scope.db,
  )
  return rows[0] as ContactDataSummary
}

const presentErasure = ({ id, contactId, state, total, done, createdAt, endedAt }: ErasureRow): ContactErasure => ({
  ...{ id, contactId, state, createdAt, endedAt },
  total,
  done: Math.min(done, total),
})

/** Starts an erasure job, one at a time per company; a second request returns the running job. */
export async function requestErasure(scope: Scope, contactId: number): Promise<ContactErasure> {
  const { companyId, db, actor } = scope
  const { messages: total } = await countContactData(scope, contactId)
  const erasure = await db
    .insertInto('contactErasures')
    .values({ companyId, contactId, userId: actor.id, userName: actor.name, total, createdAt: scope.now() })
    .onConflict((c) => c.columns(['companyId', 'contactId']).where('state', '=', 'running').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!erasure) {
    const running = await selectErasures(scope)
      .where('contactId', '=', contactId)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (!running) throw new AppError('ERR_NO_CONTACT_FOUND')
    return presentErasure(running)
  }
  await scope.enqueueJob(
    'contact:erase',
    { companyId, erasureId: erasure.id },
    { queue: `erase:${companyId}`, attempts: 25 },
  )
  return presentErasure(erasure)
}

const selectErasures = (scope: Scope) =>
  scope.db.selectFrom('contactErasures').selectAll().where('companyId', '=', scope.companyId)

export async function findErasure(scope: Scope, id: number): Promise<ContactErasure> {
  const row = await selectErasures(scope).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_CONTACTERASURE_FOUND')
  return presentErasure(row)
}

export const erasureJobs = (deps: Deps): Pick<JobHandlers, 'contact:erase'> => ({
  'contact:erase': asLongRunningJob(({ companyId, erasureId }) =>
    eraseContact(new Scope(deps, { companyId }), erasureId),
  ),
})

/** Erases messages in batches, then the rest and the contact in one transaction. The job resumes after a crash. */
async function eraseContact(scope: Scope, id: number): Promise<void> {
  const row = await selectErasures(scope).where('id', '=', id).executeTakeFirst()
  if (row?.state !== 'running') return
  const references = await loadContactReferences(scope, row.contactId)
  while (references.ids.length && (await scope.transaction((tx) => eraseBatch(tx, references, id))));
  await scope.transaction((tx) => eraseRest(tx, row))
}

async function eraseBatch(scope: Scope, references: ContactReferences, id: number): Promise<boolean> {
  const erased = await eraseMessages(scope, references, batchSize)
  await eraseCloudSends(scope, erased)
  await eraseGroupEvents(scope, erased)
  await scope.db
    .updateTable('contactErasures')
    .set((eb) => ({ done: eb('done', '+', erased.length) }))
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  return erased.length > 0
}

async function eraseRest(scope: Scope, { id, contactId, userId, userName }: ErasureRow): Promise<void> {
  const requesterId = userId && (await lockUser(scope, userId))
  await waitForContactTurn(scope)
  const references = await loadContactReferences(scope, contactId)
  if (references.ids.length) {
    // Rows that arrived since the last batch are erased, too.
    while (await eraseBatch(scope, references, id));
    await eraseJournalOfContact(scope, references)
    await eraseReactions(scope, references)
    await eraseLineTasks(scope, references)
    await eraseSchedules(scope, references.ids)
    await eraseFromCampaigns(scope, references)
    await eraseFromLists(scope, references)
    await eraseFromTestPhone(scope, references)
    await eraseFromCloudInbox(scope, references.values)
    await eraseFromLinkedPhones(scope, references.values)
    await eraseStoredReplies(scope, references.values)
    await eraseFromAudit(scope, references.ids)
    await eraseDeletedContacts(scope, references)
    await eraseDryRuns(scope)
    await removeContact(scope, contactId, deskContactHooks)
  }
  await scope.db
    .updateTable('contactErasures')
    .set({ state: 'done', endedAt: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  await writeAudit(scope, 'contact.erased', contactId, '', { id: requesterId, name: userName })
}

/**
 * The audit entry references the requesting user, and deleting a user writes to tickets and schedules that are erased
 * here. Both transactions lock the user row first, so there is neither a deadlock nor a reference to a deleted user.
 */
async function lockUser({ db, companyId }: Scope, id: number): Promise<number | null> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return user?.id ?? null
}
