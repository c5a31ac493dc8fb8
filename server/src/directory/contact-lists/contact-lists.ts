import { type ContactList, type ContactListWrite, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { type Selectable, sql } from 'kysely'
import { makeRecords } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'
import { assertOwnTagsAndQueues, countQuestionMatches } from './list-question.ts'

export type ContactListRow = Selectable<DB['contactLists']>

/** Lists are published to users who manage campaigns. */
export const campaignAudience = (scope: Scope) => ({ rooms: [`company-${scope.companyId}-admin`] })

export const contactLists = makeRecords('contactLists', contactListsApi, {
  audience: campaignAudience,
  present: async (_, rows) => rows,
})

/** Locks a list that consists of rows, so that additions and removals are serialized and counted. */
export async function lockRowList(scope: Scope, id: number): Promise<ContactListRow> {
  const row = await contactLists.lockRow(scope, id)
  if (row.question) throw new AppError('ERR_CONTACTLIST_IS_QUESTION')
  return row
}

/** Recounts the list. It is locked, so no row is written in between. */
export async function recountList(scope: Scope, id: number): Promise<ContactList> {
  const { rows } = await sql<ContactListRow>`
    update "contactLists" l set "contactsCount" = n.all, "validCount" = n.valid, "invalidCount" = n.invalid
    from (
      select count(*)::int as all, count(*) filter (where "isWhatsappValid")::int as valid,
        count(*) filter (where not "isWhatsappValid")::int as invalid
      from "contactListItems" where "companyId" = ${scope.companyId} and "contactListId" = ${id}
    ) n where l."companyId" = ${scope.companyId} and l.id = ${id} returning l.*`.execute(scope.db)
  const [row] = rows
  if (!row) throw new AppError(contactListsApi.record.missing)
  scope.publish(contactListsApi.topic, { action: 'update', row }, campaignAudience(scope))
  return row
}

export async function createContactList(
  scope: Scope,
  { name, question = null }: ContactListWrite,
): Promise<ContactList> {
  if (question) await assertOwnTagsAndQueues(scope, question)
  const contactsCount = question ? (await countQuestionMatches(scope, question)).count : 0
  return contactLists.create(scope, { name, question: question && JSON.stringify(question), contactsCount })
}

/**
 * Changes a list. If a list of rows becomes a filter, it loses its rows; if a filter becomes a list of rows, it starts
 * empty.
 */
export async function updateContactList(scope: Scope, id: number, write: ContactListWrite): Promise<ContactList> {
  const before = await contactLists.lockRow(scope, id)
  const { name, question } = write
  if (question === undefined || (question === null && !before.question)) return contactLists.update(scope, id, { name })
  await assertNotInUse(scope, id)
  if (question) await assertOwnTagsAndQueues(scope, question)
  await scope.db
    .deleteFrom('contactListItems')
    .where('companyId', '=', scope.companyId)
    .where('contactListId', '=', id)
    .execute()
  const contactsCount = question ? (await countQuestionMatches(scope, question)).count : 0
  const none = { validCount: 0, invalidCount: 0 }
  return contactLists.update(scope, id, {
    name,
    question: question && JSON.stringify(question),
    contactsCount,
    ...none,
  })
}

/** Refuses if a planned or running campaign needs the list. */
async function assertNotInUse(scope: Scope, id: number): Promise<void> {
  const used = await scope.db
    .selectFrom('campaigns')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('contactListId', '=', id)
    .where('status', 'in', ['PROGRAMADA', 'EM_ANDAMENTO'])
    .executeTakeFirst()
  if (used) throw new AppError('ERR_CONTACTLIST_IN_USE')
}

export async function removeContactList(scope: Scope, id: number): Promise<void> {
  await contactLists.lockRow(scope, id)
  await assertNotInUse(scope, id)
  const files = await scope.db
    .selectFrom('listImports')
    .select('filePath')
    .where('companyId', '=', scope.companyId)
    .where('contactListId', '=', id)
    .execute()
  await scheduleFileRemoval(
    scope,
    files.map((row) => row.filePath),
  )
  await contactLists.remove(scope, id)
}
