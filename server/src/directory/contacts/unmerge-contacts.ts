import { sql } from 'kysely'
import { writeContactAudit } from '../../accounts/api-access/audit.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { MergedRows } from '../tables.ts'
import type { ContactDeskActions } from './contact-desk-actions.ts'
import { type ContactRow, findContact, publishContacts, updateContactRow, waitForContactTurn } from './contact-store.ts'
import { phoneKey } from './identity.ts'
import { undoFilledColumns } from './undo-filled-columns.ts'
import { assertSeesConversations } from './write-contact.ts'

/** Whether users have split these two contacts before: then no event may merge them again. */
export async function wereUnmerged(scope: Scope, a: number, b: number): Promise<boolean> {
  const undone = await scope.db
    .selectFrom('contactMerges')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('keptId', 'in', [a, b])
    .where('mergedId', 'in', [a, b])
    .where('undoneAt', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return undone !== undefined
}

/**
 * Splits two merged contacts: the moved rows move back, with the messages that their tickets got since; later changes by
 * users stay. Tickets that the merge closed stay closed.
 */
export async function unmergeContacts(scope: Scope, mergeId: number, desk: ContactDeskActions): Promise<ContactRow> {
  await waitForContactTurn(scope)
  const { companyId } = scope
  const merge = await scope.db
    .updateTable('contactMerges')
    .set({ undoneAt: scope.now() })
    .where('companyId', '=', companyId)
    .where('id', '=', mergeId)
    .where('undoneAt', 'is', null)
    .returning(['id', 'keptId', 'mergedId', 'moved'])
    .executeTakeFirst()
  if (!merge) throw new AppError('ERR_NO_CONTACT_FOUND')
  const holderId = await findSurvivor(scope, merge.keptId)
  await assertSeesConversations(scope, [holderId], desk)
  await moveBack(scope, holderId, merge.mergedId, merge.moved, desk)
  await undoFilledColumns(scope, merge)
  await restoreNumber(scope, holderId, merge.moved)
  const back = await scope.db
    .updateTable('contacts')
    .set({ mergedInto: null, updatedAt: scope.now() })
    .where('companyId', '=', companyId)
    .where('id', '=', merge.mergedId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await publishContacts(scope, 'create', [back])
  await updateContactRow(scope, holderId, {})
  await writeContactAudit(scope, 'contact.separated', back)
  const { tickets = [], alone = [] } = merge.moved
  await desk.onMoved(scope, { tickets, alone }, holderId)
  return back
}

/** If the surviving contact was itself merged since, the final contact has all rows. Locked until the transaction ends. */
async function findSurvivor(scope: Scope, id: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with recursive up as (
      select c.id, c."mergedInto" from contacts c where c."companyId" = ${scope.companyId} and c.id = ${id}
      union all
      select c.id, c."mergedInto" from contacts c join up on c.id = up."mergedInto"
      where c."companyId" = ${scope.companyId}
    )
    select id from contacts where "companyId" = ${scope.companyId}
      and id = (select id from up where "mergedInto" is null) for no key update`.execute(scope.db)
  return (rows[0] as { id: number }).id
}

async function moveBack(
  scope: Scope,
  from: number,
  to: number,
  moved: MergedRows,
  desk: ContactDeskActions,
): Promise<void> {
  const { companyId, db } = scope
  const held = sql`"companyId" = ${companyId} and "contactId" = ${from}`
  const { identities = [], fields = [], replacedFields = [] } = moved
  await sql`
    update "contactIdentities" i set "contactId" = ${to}
    from unnest(${identities.map((k) => k.kind)}::text[], ${identities.map((k) => k.value)}::text[]) k (kind, value)
    where ${held} and i.kind = k.kind and i.value = k.value`.execute(db)
  await sql`update "contactFields" set "contactId" = ${to} where ${held} and id = any(${fields}::int[])`.execute(db)
  await sql`
    update "contactFields" set "contactId" = ${from}
    where "companyId" = ${companyId} and "contactId" = ${to} and id = any(${replacedFields}::int[])`.execute(db)
  await desk.moveRecordsBack(scope, from, to, moved)
}

/** If the survivor's number went back with its identity, the number before the merge is used again. */
async function restoreNumber(scope: Scope, id: number, { identities, numberBefore }: MergedRows): Promise<void> {
  if (!numberBefore) return
  const { number } = await findContact(scope, id, false)
  const isGone = identities.some(({ kind, value }) => kind === 'phone' && value === phoneKey(number))
  if (isGone) await updateContactRow(scope, id, { number: numberBefore })
}
