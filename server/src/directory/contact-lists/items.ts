import { type ContactListItem, contactListItemsApi } from '@recado/contract/campaigns/contact-lists'
import { topics } from '@recado/contract/live'
import { fold } from '@recado/contract/words/fold'
import { type Selectable, sql } from 'kysely'
import { like, pageSize, records } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { phoneKey, shownNumber } from '../contacts/identity.ts'
import { wantChecks } from './checks.ts'
import { campaignRooms, heldRows, lists, recount } from './lists.ts'

export type ItemRow = Selectable<DB['contactListItems']>

const items = records('contactListItems', contactListItemsApi, {
  audience: campaignRooms,
  present: async (_, rows) => rows,
  conflicts: { contactListItems_key: 'ERR_DUPLICATED_CONTACT' },
})
export const findItem = items.find

type Query = {
  searchParam: string
  pageNumber: number
  contactListId: number | null
  valid?: 'true' | 'false' | 'unknown' | undefined
}

/** One page by name; every word of the search in name or number. */
export async function pageOfItems(scope: Scope, { searchParam, pageNumber, contactListId, valid }: Query) {
  if (contactListId !== null) await lists.stored(scope, contactListId)
  const pattern = like(fold(searchParam))
  const asked = [
    sql`"companyId" = ${scope.companyId}`,
    ...(contactListId === null ? [] : [sql`"contactListId" = ${contactListId}`]),
    ...(searchParam ? [sql`(fold(name) like ${pattern} or number like ${pattern})`] : []),
    ...(valid === undefined
      ? []
      : [valid === 'unknown' ? sql`"isWhatsappValid" is null` : sql`"isWhatsappValid" = ${valid === 'true'}`]),
  ]
  const where = sql.join(asked, sql` and `)
  const offset = (pageNumber - 1) * pageSize
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from "contactListItems" where ${where}`.execute(scope.db)
  const { rows } = await sql<ItemRow>`
    select * from "contactListItems" where ${where} order by lower(name) collate "C", id
    limit ${pageSize} offset ${offset}`.execute(scope.db)
  const count = counted.rows[0]?.count ?? 0
  return { contacts: rows as ContactListItem[], count, hasMore: offset + rows.length < count }
}

type Write = { name: string; number: string; email: string; contactListId: number }

const valuesOf = (scope: Scope, { name, number, email }: Write) => {
  const shown = shownNumber(number)
  if (!shown) throw new AppError('ERR_VALIDATION', { number: 'Invalid' })
  return { name, email, number: shown, key: phoneKey(shown), checkAfter: scope.now() }
}

export async function createItem(scope: Scope, write: Write): Promise<ContactListItem> {
  await heldRows(scope, write.contactListId)
  const unchecked = { contactListId: write.contactListId, isWhatsappValid: null }
  const item = await items.create(scope, { ...valuesOf(scope, write), ...unchecked })
  await recount(scope, write.contactListId)
  await wantChecks(scope)
  return item
}

/** It stays in its list, whatever the form says. Another number is another person: it is checked anew. */
export async function updateItem(scope: Scope, id: number, write: Write): Promise<ContactListItem> {
  const { contactListId } = await items.stored(scope, id)
  await heldRows(scope, contactListId)
  const before = await items.held(scope, id)
  const { key, checkAfter, ...values } = valuesOf(scope, write)
  const isSame = before.key === key
  const fresh = { key, checkAfter, isWhatsappValid: null, checkTries: 0 }
  const item = await items.update(scope, id, { ...values, ...(isSame ? {} : fresh) })
  if (isSame) return item
  await recount(scope, contactListId)
  await wantChecks(scope)
  return item
}

export async function removeItem(scope: Scope, id: number): Promise<void> {
  const { contactListId } = await items.stored(scope, id)
  await heldRows(scope, contactListId)
  await items.remove(scope, id)
  await recount(scope, contactListId)
}

/** Many changed at once: who has the list open reads it again. Its first page goes along for older clients. */
export async function tellReload(scope: Scope, contactListId: number): Promise<void> {
  const { contacts } = await pageOfItems(scope, { searchParam: '', pageNumber: 1, contactListId })
  scope.live(topics.listReload, { action: 'reload', contactListId, records: contacts }, campaignRooms(scope))
}
