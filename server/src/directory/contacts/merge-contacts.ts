import type { Scope } from '../../kernel/data/scope.ts'
import type { MergedRows } from '../tables.ts'
import type { ContactDeskActions } from './contact-desk-actions.ts'
import { isPlaceholderName } from './contact-name.ts'
import { type ContactRow, publishContactDeleted, updateContactRow } from './contact-store.ts'
import { enqueueContactMergedEvent } from './webhook-events.ts'

/**
 * Merges two contacts that are one person: everything of the second moves to the first. The second row stays, marked, and
 * the move is recorded, so that users can undo it. The caller waits for the contact turn first (see contact-store.ts).
 */
export async function mergeContacts(
  scope: Scope,
  keepId: number,
  goneId: number,
  reason: string,
  desk: ContactDeskActions,
): Promise<{ kept: ContactRow; moved: MergedRows }> {
  const [keep, mergedContact] = await lockBoth(scope, keepId, goneId)
  const closed = await closeDuplicateTickets(scope, keepId, goneId, desk)
  const filled = fillGaps(keep, mergedContact, await listIdentityValues(scope, [keepId, goneId]))
  const moved = { ...(await moveRows(scope, keepId, goneId, desk)), closed, filled }
  await scope.db
    .updateTable('contacts')
    .set({ mergedInto: keepId })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', goneId)
    .execute()
  await scope.db
    .insertInto('contactMerges')
    .values({
      companyId: scope.companyId,
      keptId: keepId,
      mergedId: goneId,
      reason,
      moved: JSON.stringify(moved),
      at: scope.now(),
    })
    .execute()
  publishContactDeleted(scope, goneId)
  const given = Object.fromEntries(Object.entries(moved.filled).map(([column, { now }]) => [column, now]))
  const kept = await updateContactRow(scope, keepId, given)
  await desk.onMoved(scope, moved, goneId)
  await enqueueContactMergedEvent(scope, keepId, mergedContact)
  return { kept, moved }
}

/** Locks both rows, the lower id first, as everywhere, to avoid deadlocks. */
async function lockBoth(scope: Scope, keepId: number, goneId: number): Promise<[ContactRow, ContactRow]> {
  const rows = await scope.db
    .selectFrom('contacts')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', [keepId, goneId])
    .where('mergedInto', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const [keep, mergedContact] = [rows.find((r) => r.id === keepId), rows.find((r) => r.id === goneId)]
  if (!keep || !mergedContact || keepId === goneId) throw new Error(`Contacts ${keepId} and ${goneId} cannot be joined`)
  return [keep, mergedContact]
}

type LivingTicket = { id: number; whatsappId: number | null; userId: number | null }

/** Leaves one active ticket per person and line: closes the unattended ticket, else the newer one. */
async function closeDuplicateTickets(
  scope: Scope,
  keepId: number,
  goneId: number,
  desk: ContactDeskActions,
): Promise<number[]> {
  const living: LivingTicket[] = await scope.db
    .selectFrom('tickets')
    .select(['id', 'whatsappId', 'userId'])
    .where('companyId', '=', scope.companyId)
    .where('contactId', 'in', [keepId, goneId])
    .where('status', 'in', ['open', 'pending'])
    .where('whatsappId', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const closed: number[] = []
  for (const [at, older] of living.entries()) {
    const younger = living.find((t, n) => n > at && t.whatsappId === older.whatsappId)
    if (!younger) continue
    const [kept, loser] = older.userId === null && younger.userId !== null ? [younger, older] : [older, younger]
    await desk.closeDuplicate(scope, loser.id, kept.id)
    closed.push(loser.id)
  }
  return closed
}

/** Moves every row of one contact to the other; returns the moved rows. */
async function moveRows(
  scope: Scope,
  to: number,
  from: number,
  desk: ContactDeskActions,
): Promise<Omit<MergedRows, 'closed' | 'filled'>> {
  const { companyId, db } = scope
  const identities = await db
    .updateTable('contactIdentities')
    .set({ contactId: to })
    .where('companyId', '=', companyId)
    .where('contactId', '=', from)
    .returning(['kind', 'value'])
    .execute()
  const fields = await db
    .updateTable('contactFields')
    .set({ contactId: to })
    .where('companyId', '=', companyId)
    .where('contactId', '=', from)
    .returning('id')
    .execute()
  return { identities, fields: fields.map((row) => row.id), ...(await desk.moveRecords(scope, from, to)) }
}

async function listIdentityValues(scope: Scope, contactIds: number[]): Promise<string[]> {
  const rows = await scope.db
    .selectFrom('contactIdentities')
    .select('value')
    .where('companyId', '=', scope.companyId)
    .where('contactId', 'in', contactIds)
    .execute()
  return rows.map((r) => r.value)
}

/** Values that the surviving contact lacks and the merged contact has. */
function fillGaps(keep: ContactRow, mergedContact: ContactRow, ids: string[]): MergedRows['filled'] {
  const filled: MergedRows['filled'] = {}
  const fill = (column: keyof MergedRows['filled'], now: string | null) => {
    if (now && now !== keep[column]) filled[column] = { was: keep[column], now }
  }
  if (!keep.number) fill('number', mergedContact.number)
  if (isPlaceholderName(keep.name, keep, ids)) {
    fill(
      'name',
      isPlaceholderName(mergedContact.name, mergedContact, ids)
        ? keep.number || mergedContact.number
        : mergedContact.name,
    )
  }
  if (!keep.email) fill('email', mergedContact.email)
  if (!keep.profilePicUrl) fill('profilePicUrl', mergedContact.profilePicUrl)
  return filled
}
