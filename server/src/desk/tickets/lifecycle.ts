import { leads } from '@recado/contract/sight'
import type { TicketDetail } from '@recado/contract/tickets'
import { sql, type Updateable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, orConflict } from '../../kernel/errors.ts'
import { keepLeaving } from '../figures/menu-steps.ts'
import { tellFigures } from '../figures/tell.ts'
import { tellReaders, tellThread } from '../messages/thread-news.ts'
import { dropGiven } from '../notices.ts'
import { dropQuestion } from '../rating.ts'
import { keepGoals } from './goals.ts'
import { notEarlier } from './newest.ts'
import { freshBots, noBots } from './silence.ts'
import { tellChanged, tellGone } from './tell.ts'
import { tellTicket } from './told.ts'
import { lastLeg, nextLeg, note, step, track } from './track.ts'
import { presentTicket } from './view.ts'
import { asker, maySee } from './visibility.ts'

type Change = Updateable<DB['tickets']>
export const conflicts = {
  tickets_living_key: 'ERR_OTHER_OPEN_TICKET',
  tickets_companyId_queueId_fkey: 'ERR_QUEUE_NOT_FOUND',
  tickets_companyId_userId_fkey: 'ERR_NO_USER_FOUND',
  tickets_companyId_whatsappId_fkey: 'ERR_NO_WAPP_FOUND',
} as const

/** Who has it, in the shape the new-ticket dialog of this family reads. */
export const heldBy = (scope: Scope, ticket: TicketDetail) => ({
  userId: ticket.userId,
  user: ticket.user,
  queue: ticket.queue,
  uuid: ticket.uuid,
  ticketId: ticket.id,
  mayOpen: isSeen(scope, ticket),
})
/** Whether who asks would find it. */
const isSeen = (scope: Scope, ticket: TicketDetail): boolean => {
  const viewer = asker(scope)
  return viewer !== null && maySee(viewer, ticket)
}

/** Somebody has it, or another ticket of the same person lives: who asks learns who and where. */
export const heldError = (scope: Scope, ticket: TicketDetail): AppError =>
  new AppError('ERR_OTHER_OPEN_TICKET', undefined, { holder: heldBy(scope, ticket) })

/** The living ticket of a contact on a line, if there is one. */
export async function livingTicket(scope: Scope, contactId: number, whatsappId: number): Promise<TicketDetail | null> {
  const row = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('whatsappId', '=', whatsappId)
    .where('status', 'in', ['open', 'pending'])
    .executeTakeFirst()
  return row ? presentTicket(scope, row.id) : null
}

/** The index would refuse it too, but it does not know names. */
async function mustBeOnly(scope: Scope, ticket: TicketDetail, whatsappId: number | null): Promise<void> {
  const other = whatsappId && (await livingTicket(scope, ticket.contactId, whatsappId))
  if (other && other.id !== ticket.id) throw heldError(scope, other)
}

/** Changes the row, tells who saw it and who sees it now, and returns it as it is now. */
export async function change(scope: Scope, before: TicketDetail, values: Change): Promise<TicketDetail> {
  await orConflict(conflicts, () => mark(scope, before.id, { ...values, updatedAt: scope.now() }))
  await keepGoals(scope, before.id, before)
  const after = await presentTicket(scope, before.id)
  tellChanged(scope, before, after)
  const keys = ['userId', 'status', 'queueId'] as const
  if (keys.some((key) => before[key] !== after[key])) {
    await tellReaders(scope, before, after)
    await dropGiven(scope, before, after)
    await tellScheduled(scope, before, after)
  }
  return after
}

declare module '../../kernel/events.ts' {
  interface Events {
    /** A ticket of a chat for which something is scheduled is seen by others now. */
    'ticket.moved': { companyId: number; ticketId: number; before: Pick<TicketDetail, 'userId' | 'queueId' | 'status'> }
  }
}

/** Who sees a chat sees what is scheduled for it: they live upstairs, and are asked only where there is something. */
async function tellScheduled(scope: Scope, before: TicketDetail, { id: ticketId, contactId }: TicketDetail) {
  const { userId, queueId, status } = before
  if (await scope.ask(areScheduled, contactId))
    await scope.emit('ticket.moved', { companyId: scope.companyId, ticketId, before: { userId, queueId, status } })
}
async function areScheduled(scope: Scope, contactIds: number[]): Promise<boolean[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from unnest(${contactIds}::int[]) c (id)
    where exists (select from schedules s where s."companyId" = ${scope.companyId} and s."contactId" = c.id)`.execute(
    scope.db,
  )
  const some = new Set(rows.map(({ id }) => id))
  return contactIds.map((id) => some.has(id))
}

/** Marks that no screen shows: nobody is told. */
export const mark = (scope: Scope, ticketId: number, values: Change): Promise<void> =>
  scope.ask(markAll, { ticketId, values })

/** What is changed alike is changed at once. */
async function markAll(scope: Scope, all: { ticketId: number; values: Change }[]): Promise<undefined[]> {
  for (const same of Map.groupBy(all, ({ values }) => JSON.stringify(values)).values()) {
    const { updatedAt, ...values } = (same[0] as (typeof same)[number]).values
    await scope.db
      .updateTable('tickets')
      .set({ ...values, ...(updatedAt && { updatedAt: notEarlier(sql`${updatedAt}::timestamptz`) }) })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', sql<number>`any(${same.map(({ ticketId }) => ticketId)}::int[])`)
      .execute()
  }
  return all.map(() => undefined)
}

/** What is given to somebody who cannot log in any more is seen by nobody. */
export async function mustWorkHere(scope: Scope, userId: number): Promise<void> {
  if (userId === scope.person?.id) return
  const found = await scope.db
    .selectFrom('users')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', userId)
    .where('active', '=', true)
    .executeTakeFirst()
  if (!found) throw new AppError('ERR_NO_USER_FOUND')
}

/** Pending becomes open and mine. */
export async function accept(scope: Scope, ticket: TicketDetail, userId = scope.actor.id): Promise<TicketDetail> {
  await mustWorkHere(scope, userId)
  const after = await change(scope, ticket, { status: 'open', userId, ...noBots })
  await track(scope, after, { startedAt: scope.now(), userId })
  await note(scope, after.id, 'accept', step('accepted', 'by-person', { user: after.user?.name ?? null }))
  await tellTicket(scope, 'ticket.accepted', after.id)
  return after
}

/** Open goes back to waiting, nobody's. */
export async function giveBack(scope: Scope, ticket: TicketDetail): Promise<TicketDetail> {
  if (ticket.status === 'pending') return ticket
  const after = await change(scope, ticket, { status: 'pending', userId: null })
  await nextLeg(scope, after, 'returned', { queuedAt: scope.now() })
  await note(scope, after.id, 'return', step('returned', scope.person ? 'by-person' : 'agent-is-gone'))
  await tellTicket(scope, 'ticket.transferred', after.id)
  return after
}

/** Why a ticket is closed where a bot ends it. */
export const [byMenu, byMachine] = ['menu-ended-it', 'machine-ended-it'] as const

/** Closed, under the name of who closed it; the queue stays. The attendance is still of who attended. */
export async function resolve(scope: Scope, ticket: TicketDetail, why = 'by-person'): Promise<TicketDetail> {
  if (ticket.status === 'closed') return ticket
  const byBot = why === byMenu || why === byMachine
  if (ticket.chatbot && !byBot) await keepLeaving(scope, ticket.id)
  // Who acts for a program closes nothing in the name of who made its key.
  const userId = scope.person && !scope.person.key ? scope.person.id : ticket.userId
  const after = await change(scope, ticket, {
    status: 'closed',
    userId,
    unreadMessages: 0,
    waitingSince: null,
    laneSince: null,
    laneSayAt: null,
    ...freshBots,
  })
  await lastLeg(scope, after, ticket.userId ?? userId, byBot)
  await note(scope, after.id, 'resolve', step('resolved', why))
  await tellTicket(scope, 'ticket.resolved', after.id)
  return after
}

/** Closed comes back to life, mine. Another living ticket of the contact on that line refuses it. */
export async function reopen(scope: Scope, ticket: TicketDetail, queueId?: number | null): Promise<TicketDetail> {
  const userId = scope.actor.id
  await mustBeOnly(scope, ticket, ticket.whatsappId)
  const wanted = queueId !== undefined && { queueId }
  const after = await change(scope, ticket, { status: 'open', userId, laneSince: scope.now(), ...wanted, ...noBots })
  await dropQuestion(scope, after.id)
  await track(scope, after, { queuedAt: scope.now(), startedAt: scope.now(), userId }, 'again')
  await note(scope, after.id, 'reopen', step('reopened', 'by-person'))
  await tellTicket(scope, 'ticket.opened', after.id)
  return after
}

export type Target = {
  queueId?: number | null | undefined
  userId?: number | null | undefined
  whatsappId?: number | null | undefined
}

/** The house itself puts a waiting ticket into a queue, where people find it. `marks`: what that means to its bots. */
export async function putIntoQueue(
  scope: Scope,
  ticket: TicketDetail,
  queueId: number,
  why: string,
  marks: Change = noBots,
): Promise<TicketDetail> {
  const after = await change(scope, ticket, { queueId, ...marks })
  // It waits on: nobody had it in between.
  await track(scope, after, {})
  await note(
    scope,
    after.id,
    'transfer',
    step('transferred', why, { from: null, queue: after.queue?.name ?? null, user: null }),
  )
  await tellTicket(scope, 'ticket.transferred', after.id)
  return after
}

/** To a queue without a person: it waits there. To a person: it is theirs at once. To a line alone: whoever has it keeps it. */
export async function transfer(
  scope: Scope,
  ticket: TicketDetail,
  to: Target,
  why: 'by-person' | 'by-machine' = 'by-person',
): Promise<TicketDetail> {
  const now = scope.now()
  const queueId = to.queueId === undefined ? ticket.queueId : to.queueId
  const whatsappId = to.whatsappId ?? ticket.whatsappId
  if (whatsappId !== ticket.whatsappId) await mustBeOnly(scope, ticket, whatsappId)
  if (to.userId) await mustWorkHere(scope, to.userId)
  const stays = to.userId === undefined && queueId === ticket.queueId
  const whose = to.userId
    ? { userId: to.userId, status: 'open' as const }
    : { userId: null, status: 'pending' as const }
  const after = await change(scope, ticket, { queueId, whatsappId, ...(!stays && whose), ...noBots })
  const taken = to.userId ? { startedAt: now, userId: to.userId } : {}
  if (!stays) await nextLeg(scope, after, 'transferred', { queuedAt: now, ...taken })
  const moved = {
    from: ticket.queue?.name ?? null,
    queue: after.queue?.name ?? null,
    user: after.user?.name ?? null,
    // Where its earlier messages are (see messages/read.ts).
    ...(whatsappId !== ticket.whatsappId && { lineBefore: ticket.whatsappId, line: after.whatsapp?.name ?? null }),
  }
  await note(scope, after.id, 'transfer', step('transferred', why, moved))
  await tellTicket(scope, 'ticket.transferred', after.id)
  return after
}

/** Gone, with its messages, also from the threads of the chat's other tickets. */
export async function remove(scope: Scope, ticket: TicketDetail): Promise<void> {
  await scope.db.deleteFrom('tickets').where('companyId', '=', scope.companyId).where('id', '=', ticket.id).execute()
  tellGone(scope, ticket, ticket.id)
  tellFigures(scope)
  if (ticket.whatsappId !== null) await tellThread(scope, [ticket.contactId], ticket.whatsappId)
}

/** Giving a ticket to somebody else is for those who lead. */
export const mayAssign = (scope: Scope, userId: number | null | undefined): boolean =>
  !userId || userId === scope.actor.id || leads(scope.actor)
