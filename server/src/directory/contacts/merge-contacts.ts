import { fold } from '@recado/contract/text/fold'
import type { Scope } from '../../kernel/data/scope.ts'
import type { MergedRows } from '../tables.ts'
import type { ContactDeskActions } from './contact-desk-actions.ts'
import { isPlaceholderName } from './contact-name.ts'
import { type ContactRow, publishContactDeleted, updateContactRow } from './contact-store.ts'
import { enqueueContactMergedEvent } from './webhook-events.ts'

/** What a user chose from the second contact. Without choices its values only fill gaps, and all its own fields move. */
export type JoinChoices = { otherName: boolean; otherEmail: boolean; fieldIds: number[] }

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
  choices?: JoinChoices,
): Promise<{ id: number; kept: ContactRow; moved: MergedRows }> {
  const [keep, mergedContact] = await lockBoth(scope, keepId, goneId)
  const closed = await closeDuplicateTickets(scope, keepId, goneId, desk)
  const filled = fillGaps(keep, mergedContact, await listIdentityValues(scope, [keepId, goneId]), choices)
  const fields = await moveFields(scope, keepId, goneId, choices)
  const moved = {
    ...(await moveRows(scope, keepId, goneId, desk)),
    ...fields,
    closed,
    filled,
    numberBefore: keep.number,
  }
  await scope.db
    .updateTable('contacts')
    .set({ mergedInto: keepId })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', goneId)
    .execute()
  const { id } = await scope.db
    .insertInto('contactMerges')
    .values({
      companyId: scope.companyId,
      keptId: keepId,
      mergedId: goneId,
      reason,
      moved: JSON.stringify(moved),
      at: scope.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  publishContactDeleted(scope, goneId)
  const given = Object.fromEntries(Object.entries(moved.filled).map(([column, { now }]) => [column, now]))
  const kept = await updateContactRow(scope, keepId, given)
  await desk.onMoved(scope, moved, goneId)
  await enqueueContactMergedEvent(scope, keepId, mergedContact)
  return { id, kept, moved }
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

/** Moves every row of one contact to the other, except own fields; returns the moved rows. */
async function moveRows(
  scope: Scope,
  to: number,
  from: number,
  desk: ContactDeskActions,
): Promise<Omit<MergedRows, 'closed' | 'filled' | 'fields'>> {
  const { companyId, db } = scope
  const identities = await db
    .updateTable('contactIdentities')
    .set({ contactId: to })
    .where('companyId', '=', companyId)
    .where('contactId', '=', from)
    .returning(['kind', 'value'])
    .execute()
  return { identities, ...(await desk.moveRecords(scope, from, to)) }
}

/**
 * Moves own fields to the first contact. With choices, of two fields with the same name only the chosen one is the first
 * contact's; the other stays with the second contact, hidden, until the contacts are separated.
 */
async function moveFields(
  scope: Scope,
  keepId: number,
  goneId: number,
  choices?: JoinChoices,
): Promise<Required<Pick<MergedRows, 'fields' | 'replacedFields'>>> {
  const rows = await scope.db
    .selectFrom('contactFields')
    .select(['id', 'contactId', 'name'])
    .where('companyId', '=', scope.companyId)
    .where('contactId', 'in', [keepId, goneId])
    .execute()
  const own = rows.filter(({ contactId }) => contactId === keepId)
  const theirs = rows.filter(({ contactId }) => contactId === goneId)
  const ownNames = new Set(own.map(({ name }) => fold(name)))
  const moved = theirs.filter(({ id, name }) => !choices || !ownNames.has(fold(name)) || choices.fieldIds.includes(id))
  const movedNames = new Set(moved.map(({ name }) => fold(name)))
  const replaced = choices ? own.filter(({ name }) => movedNames.has(fold(name))) : []
  const fields = moved.map(({ id }) => id)
  const replacedFields = replaced.map(({ id }) => id)
  await assignFields(scope, fields, keepId)
  await assignFields(scope, replacedFields, goneId)
  return { fields, replacedFields }
}

async function assignFields(scope: Scope, ids: number[], contactId: number): Promise<void> {
  if (!ids.length) return
  await scope.db
    .updateTable('contactFields')
    .set({ contactId })
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .execute()
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
function fillGaps(
  keep: ContactRow,
  mergedContact: ContactRow,
  ids: string[],
  choices?: JoinChoices,
): MergedRows['filled'] {
  const filled: MergedRows['filled'] = {}
  const fill = (column: Exclude<keyof MergedRows['filled'], 'ownerId'>, now: string | null) => {
    if (now && now !== keep[column]) filled[column] = { was: keep[column], now }
  }
  if (!keep.number) fill('number', mergedContact.number)
  if (choices?.otherName) fill('name', mergedContact.name)
  else if (isPlaceholderName(keep.name, keep, ids)) {
    fill(
      'name',
      isPlaceholderName(mergedContact.name, mergedContact, ids)
        ? keep.number || mergedContact.number
        : mergedContact.name,
    )
  }
  if (!keep.email || choices?.otherEmail) fill('email', mergedContact.email)
  if (!keep.profilePicUrl) fill('profilePicUrl', mergedContact.profilePicUrl)
  if (!keep.language) fill('language', mergedContact.language)
  if (keep.ownerId === null && mergedContact.ownerId !== null)
    filled.ownerId = { was: null, now: mergedContact.ownerId }
  return filled
}
