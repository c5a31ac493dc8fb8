import { type ContactListItem, contactListItemsApi } from '@recado/contract/campaigns/contact-lists'
import { topics } from '@recado/contract/live'
import { fold } from '@recado/contract/text/fold'
import { type Selectable, sql } from 'kysely'
import { likePattern, makeRecords, recordsPerPage } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { normalizePhoneNumber, phoneKey } from '../contacts/identity.ts'
import { campaignAudience, contactLists, lockRowList, recountList } from './contact-lists.ts'
import { scheduleNumberChecks } from './number-checks.ts'

export type ListItemRow = Selectable<DB['contactListItems']>

const items = makeRecords('contactListItems', contactListItemsApi, {
  audience: campaignAudience,
  present: async (_, rows) => rows,
  conflicts: { contactListItems_key: 'ERR_DUPLICATED_CONTACT' },
})
export const findListItem = items.find

type ListItemQuery = {
  searchParam: string
  pageNumber: number
  contactListId: number | null
  valid?: 'true' | 'false' | 'unknown' | undefined
}

/** One page ordered by name; every search word must be in the name or number. */
export async function listItemsPage(scope: Scope, { searchParam, pageNumber, contactListId, valid }: ListItemQuery) {
  if (contactListId !== null) await contactLists.findRow(scope, contactListId)
  const pattern = likePattern(fold(searchParam))
  const asked = [
    sql`"companyId" = ${scope.companyId}`,
    ...(contactListId === null ? [] : [sql`"contactListId" = ${contactListId}`]),
    ...(searchParam ? [sql`(fold(name) like ${pattern} or number like ${pattern})`] : []),
    ...(valid === undefined
      ? []
      : [valid === 'unknown' ? sql`"isWhatsappValid" is null` : sql`"isWhatsappValid" = ${valid === 'true'}`]),
  ]
  const where = sql.join(asked, sql` and `)
  const offset = (pageNumber - 1) * recordsPerPage
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from "contactListItems" where ${where}`.execute(scope.db)
  const { rows } = await sql<ListItemRow>`
    select * from "contactListItems" where ${where} order by lower(name) collate "C", id
    limit ${recordsPerPage} offset ${offset}`.execute(scope.db)
  const count = counted.rows[0]?.count ?? 0
  return { contacts: rows as ContactListItem[], count, hasMore: offset + rows.length < count }
}

type ListItemDraft = { name: string; number: string; email: string; contactListId: number }

const itemValues = (scope: Scope, { name, number, email }: ListItemDraft) => {
  const shown = normalizePhoneNumber(number)
  if (!shown) throw new AppError('ERR_VALIDATION', { number: 'Invalid' })
  return { name, email, number: shown, key: phoneKey(shown), checkAfter: scope.now() }
}

export async function createListItem(scope: Scope, write: ListItemDraft): Promise<ContactListItem> {
  await lockRowList(scope, write.contactListId)
  const unchecked = { contactListId: write.contactListId, isWhatsappValid: null }
  const item = await items.create(scope, { ...itemValues(scope, write), ...unchecked })
  await recountList(scope, write.contactListId)
  await scheduleNumberChecks(scope)
  return item
}

/**
 * Updates an item, which stays in its list, whatever the form sends. A changed number is another person's, so it is
 * checked again.
 */
export async function updateListItem(scope: Scope, id: number, write: ListItemDraft): Promise<ContactListItem> {
  const { contactListId } = await items.findRow(scope, id)
  await lockRowList(scope, contactListId)
  const before = await items.lockRow(scope, id)
  const { key, checkAfter, ...values } = itemValues(scope, write)
  const isSame = before.key === key
  const fresh = { key, checkAfter, isWhatsappValid: null, checkTries: 0 }
  const item = await items.update(scope, id, { ...values, ...(isSame ? {} : fresh) })
  if (isSame) return item
  await recountList(scope, contactListId)
  await scheduleNumberChecks(scope)
  return item
}

export async function removeListItem(scope: Scope, id: number): Promise<void> {
  const { contactListId } = await items.findRow(scope, id)
  await lockRowList(scope, contactListId)
  await items.remove(scope, id)
  await recountList(scope, contactListId)
}

/** Many rows changed: clients with the list open reload it. The first page is included for older clients. */
export async function publishListReload(scope: Scope, contactListId: number): Promise<void> {
  const { contacts } = await listItemsPage(scope, { searchParam: '', pageNumber: 1, contactListId })
  scope.live(topics.listReload, { action: 'reload', contactListId, records: contacts }, campaignAudience(scope))
}
