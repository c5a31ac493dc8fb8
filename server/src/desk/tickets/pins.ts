import type { Reply } from '@recado/contract/endpoint'
import { topics } from '@recado/contract/live'
import { maxPinsPerUser, type ticketsApi } from '@recado/contract/tickets'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { findVisibleTicket, presentTickets } from './base/ticket-view.ts'
import { canSeeTicket, currentViewer } from './base/visibility.ts'

/** The ids of the caller's pinned tickets that are not closed, newest pin first. */
async function findPinnedIds(scope: Scope): Promise<number[]> {
  const rows = await scope.db
    .selectFrom('ticketPins as p')
    .innerJoin('tickets as t', (join) => join.onRef('t.companyId', '=', 'p.companyId').onRef('t.id', '=', 'p.ticketId'))
    .select('p.ticketId')
    .where('p.companyId', '=', scope.companyId)
    .where('p.userId', '=', scope.actor.id)
    .where('t.status', '<>', 'closed')
    .orderBy('p.createdAt', 'desc')
    .orderBy('p.ticketId', 'desc')
    .execute()
  return rows.map(({ ticketId }) => ticketId)
}

/** The pinned tickets that the caller still sees. A list row is the same for everybody, so pins are a list of their own. */
export async function listPinnedTickets(scope: Scope): Promise<Reply<typeof ticketsApi.pins>> {
  const viewer = currentViewer(scope)
  if (!viewer) return { tickets: [] }
  const tickets = await presentTickets(scope, await findPinnedIds(scope))
  return { tickets: tickets.filter((ticket) => canSeeTicket(viewer, ticket)) }
}

async function publishPins(scope: Scope): Promise<{ ticketIds: number[] }> {
  const ticketIds = await findPinnedIds(scope)
  scope.live(topics.pins, { action: 'update', ticketIds }, { users: [scope.actor.id] })
  return { ticketIds }
}

export async function pinTicket(scope: Scope, id: number): Promise<{ ticketIds: number[] }> {
  const ticket = await findVisibleTicket(scope, id)
  if (ticket.status === 'closed') throw new AppError('ERR_TICKET_NOT_OPEN')
  // The lock makes parallel pins of one user wait, so that together they cannot exceed the limit.
  await sql`select from users where "companyId" = ${scope.companyId} and id = ${scope.actor.id} for no key update`.execute(
    scope.db,
  )
  const pinnedIds = await findPinnedIds(scope)
  if (pinnedIds.includes(id)) return { ticketIds: pinnedIds }
  if (pinnedIds.length >= maxPinsPerUser) throw new AppError('ERR_TOO_MANY_PINS')
  await deletePinsOfClosedTickets(scope)
  await scope.db
    .insertInto('ticketPins')
    .values({ companyId: scope.companyId, userId: scope.actor.id, ticketId: id, createdAt: scope.now() })
    .execute()
  return publishPins(scope)
}

/** Closing keeps a pin, because it may be undone. The next pin removes it, so that a user's rows stay few. */
async function deletePinsOfClosedTickets(scope: Scope): Promise<void> {
  await sql`
    delete from "ticketPins" p using tickets t
    where p."companyId" = ${scope.companyId} and p."userId" = ${scope.actor.id}
      and t."companyId" = p."companyId" and t.id = p."ticketId" and t.status = 'closed'`.execute(scope.db)
}

export async function unpinTicket(scope: Scope, id: number): Promise<{ ticketIds: number[] }> {
  await findVisibleTicket(scope, id)
  await scope.db
    .deleteFrom('ticketPins')
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .where('ticketId', '=', id)
    .execute()
  return publishPins(scope)
}
