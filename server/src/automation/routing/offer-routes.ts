import type { Reply } from '@recado/contract/endpoint'
import { offersApi } from '@recado/contract/routing/offers'
import type { TicketDetail } from '@recado/contract/tickets'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { sql } from 'kysely'
import { clearMissedOffers } from '../../accounts/missed-offers.ts'
import { sendAcceptedGreeting } from '../../desk/greetings.ts'
import { lockTicket, presentTicket, presentTickets } from '../../desk/tickets/base/ticket-view.ts'
import { makeStep, recordTicketEvent } from '../../desk/tickets/base/tracking.ts'
import { currentViewer } from '../../desk/tickets/base/visibility.ts'
import { acceptTicket } from '../../desk/tickets/lifecycle.ts'
import { runUndoable } from '../../desk/tickets/undo.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import { passOffer, takeOffer } from './offers.ts'

async function acceptOffer(scope: Scope, ticketId: number): Promise<TicketDetail> {
  await lockTicket(scope, ticketId)
  const offer = await takeOffer(scope, ticketId)
  if (!offer) {
    // A repeated call is answered like the first, whose reply may have been lost.
    if ((await findWhoHasIt(scope, ticketId))?.holderId === scope.actor.id) return presentTicket(scope, ticketId)
    return refuseEndedOffer(scope, ticketId)
  }
  await clearMissedOffers(scope, scope.actor.id)
  const ticket = await presentTicket(scope, ticketId)
  return runUndoable(scope, ticket, async () => {
    const details = { ...offer.details, offered: true }
    const accepted = await acceptTicket(scope, ticket, scope.actor.id, { why: offer.why, details })
    await sendAcceptedGreeting(scope, accepted)
    return accepted
  })
}

async function declineOffer(scope: Scope, ticketId: number): Promise<void> {
  await lockTicket(scope, ticketId)
  if (!(await passOffer(scope, ticketId, 'declined'))) return refuseEndedOffer(scope, ticketId)
  await clearMissedOffers(scope, scope.actor.id)
  await recordTicketEvent(scope, ticketId, 'offer', makeStep('offer-declined', 'by-person', { user: scope.actor.name }))
}

async function refuseEndedOffer(scope: Scope, ticketId: number): Promise<never> {
  throw new AppError((await findWhoHasIt(scope, ticketId)) ? 'ERR_OFFER_OVER' : 'ERR_NO_TICKET_FOUND')
}

async function listOffers(scope: Scope, endedId: number | undefined): Promise<Reply<typeof offersApi.list>> {
  const rows = await scope.db
    .selectFrom('ticketOffers')
    .select(['ticketId', 'why', 'details', 'seconds', 'dueAt'])
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .where('dueAt', '>', scope.now().toISOString())
    .orderBy('dueAt')
    .execute()
  const tickets = await presentTickets(
    scope,
    rows.map(({ ticketId }) => ticketId),
  )
  const offers = rows.flatMap(({ ticketId, why, details, seconds, dueAt }) => {
    const ticket = tickets.find(({ id }) => id === ticketId)
    return ticket ? [{ ticket, why, with: details, seconds, dueAt: new Date(dueAt).toISOString() }] : []
  })
  const ended = endedId === undefined ? null : await findWhoHasIt(scope, endedId)
  return { now: scope.now().toISOString(), offers, ended: ended && { userName: ended.userName } }
}

/** Who has a ticket of the caller's queues, or may accept it now. Null: no such ticket. */
async function findWhoHasIt(
  scope: Scope,
  ticketId: number,
): Promise<{ holderId: number | null; userName: string | null } | null> {
  const viewer = currentViewer(scope)
  if (!viewer) return null
  const isOwnQueue = canSeeAllTickets(viewer) ? sql`true` : sql`t."queueId" = any(${viewer.queueIds}::int[])`
  const { rows } = await sql<{ holderId: number | null; userName: string | null }>`
    select h.id as "holderId", u.name as "userName" from tickets t
    left join lateral (select t."userId" as id where t.status = 'open') h on true
    left join "ticketOffers" o on o."companyId" = t."companyId" and o."ticketId" = t.id
    left join users u on u."companyId" = t."companyId" and u.id = coalesce(h.id, o."userId")
    where t."companyId" = ${scope.companyId} and t.id = ${ticketId} and ${isOwnQueue}`.execute(scope.db)
  return rows[0] ?? null
}

export const offerRoutes = [
  route(offersApi.list, (scope, { query }) => listOffers(scope, query.ended)),
  route(offersApi.accept, (scope, { params }) => acceptOffer(scope, params.ticketId)),
  route(offersApi.pass, async (scope, { params }) => {
    await declineOffer(scope, params.ticketId)
    return { message: 'passed' }
  }),
]
