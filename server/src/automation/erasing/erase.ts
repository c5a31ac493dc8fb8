import type { Erasure, Holdings } from '@recado/contract/doors/moving'
import { type Selectable, sql } from 'kysely'
import { eraseFromAudit, writeDown } from '../../accounts/doors/audit.ts'
import { erasePeople } from '../../desk/campaigns/people.ts'
import { eraseErrands, eraseMessages, eraseReactions } from '../../desk/messages/erase.ts'
import { eraseSchedules } from '../../desk/schedules/write.ts'
import { forgetAnswers } from '../../desk/sending/forget.ts'
import { atDesk } from '../../desk/tickets/at-desk.ts'
import { eraseFromLists } from '../../directory/contact-lists/erase.ts'
import { eraseDeleted } from '../../directory/contacts/deleted.ts'
import { type Known, knownOf } from '../../directory/contacts/known.ts'
import { findContact, oneByOne } from '../../directory/contacts/people.ts'
import { removeContact } from '../../directory/contacts/write.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { type JobHandlers, takingLong } from '../../kernel/jobs.ts'
import { forgetOnLinkedPhones } from '../../lines/baileys/forget.ts'
import { forgetInCloudInbox, forgetSends } from '../../lines/cloud/forget.ts'
import { forgetOnTestPhone } from '../../lines/sandbox/forget.ts'
import { forgetEvents, forgetJournal } from '../inbox/forget.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'contact:erase': { companyId: number; erasureId: number }
  }
}

type Row = Selectable<DB['contactErasures']>

/** So many messages in one transaction: others write meanwhile. */
const portion = 500

/** What there is of somebody, to be named before it goes. */
export async function holdingsOf(scope: Scope, contactId: number): Promise<Holdings> {
  await findContact(scope, contactId, false)
  const { ids, keys } = await knownOf(scope, contactId)
  const { companyId } = scope
  const theirs = sql`"companyId" = ${companyId} and "contactId" = any (${ids}::int[])`
  const { rows } = await sql<Holdings>`
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
  return rows[0] as Holdings
}

const shown = ({ id, contactId, state, total, done, createdAt, endedAt }: Row): Erasure => ({
  ...{ id, contactId, state, createdAt, endedAt },
  total,
  done: Math.min(done, total),
})

/** From here on a job does it, one after the other of a company; who asks twice hears of the first. */
export async function askErasure(scope: Scope, contactId: number): Promise<Erasure> {
  const { companyId, db, actor } = scope
  const { messages: total } = await holdingsOf(scope, contactId)
  const made = await db
    .insertInto('contactErasures')
    .values({ companyId, contactId, userId: actor.id, userName: actor.name, total, createdAt: scope.now() })
    .onConflict((c) => c.columns(['companyId', 'contactId']).where('state', '=', 'running').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!made) {
    const running = await erasures(scope)
      .where('contactId', '=', contactId)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (!running) throw new AppError('ERR_NO_CONTACT_FOUND')
    return shown(running)
  }
  await scope.job('contact:erase', { companyId, erasureId: made.id }, { queue: `erase:${companyId}`, attempts: 25 })
  return shown(made)
}

const erasures = (scope: Scope) =>
  scope.db.selectFrom('contactErasures').selectAll().where('companyId', '=', scope.companyId)

export async function findErasure(scope: Scope, id: number): Promise<Erasure> {
  const row = await erasures(scope).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_CONTACTERASURE_FOUND')
  return shown(row)
}

export const erasingJobs = (means: Means): Pick<JobHandlers, 'contact:erase'> => ({
  'contact:erase': takingLong(({ companyId, erasureId }) => erase(new Scope(means, { companyId }), erasureId)),
})

/** The long part piece by piece, then the rest and the contact itself at once: whoever dies in between goes on there. */
async function erase(scope: Scope, id: number): Promise<void> {
  const row = await erasures(scope).where('id', '=', id).executeTakeFirst()
  if (row?.state !== 'running') return
  const known = await knownOf(scope, row.contactId)
  while (known.ids.length && (await scope.transaction((tx) => somePart(tx, known, id))));
  await scope.transaction((tx) => theRest(tx, row))
}

async function somePart(scope: Scope, known: Known, id: number): Promise<boolean> {
  const gone = await eraseMessages(scope, known, portion)
  await forgetSends(scope, gone)
  await forgetEvents(scope, gone)
  await scope.db
    .updateTable('contactErasures')
    .set((eb) => ({ done: eb('done', '+', gone.length) }))
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  return gone.length > 0
}

async function theRest(scope: Scope, { id, contactId, userId, userName }: Row): Promise<void> {
  const requesterId = userId && (await lockUser(scope, userId))
  await oneByOne(scope)
  const known = await knownOf(scope, contactId)
  if (known.ids.length) {
    // What came in since the last part.
    while (await somePart(scope, known, id));
    await forgetJournal(scope, known)
    await eraseReactions(scope, known)
    await eraseErrands(scope, known)
    await eraseSchedules(scope, known.ids)
    await erasePeople(scope, known)
    await eraseFromLists(scope, known)
    await forgetOnTestPhone(scope, known)
    await forgetInCloudInbox(scope, known.values)
    await forgetOnLinkedPhones(scope, known.values)
    await forgetAnswers(scope, known.values)
    await eraseFromAudit(scope, known.ids)
    await eraseDeleted(scope, known)
    await removeContact(scope, contactId, atDesk)
  }
  await scope.db
    .updateTable('contactErasures')
    .set({ state: 'done', endedAt: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  await writeDown(scope, 'contact.erased', contactId, '', { id: requesterId, name: userName })
}

/**
 * The audit entry refers to who asked, and deleting a user writes to tickets and schedules that are erased here: whoever
 * takes the user's row first goes first, so that neither a deadlock nor a reference to a deleted user comes of it.
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
