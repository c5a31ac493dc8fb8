import type { TicketDetail } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { requestOfferPush } from '../../desk/push.ts'
import { addMs, seconds } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { RoutingChoice } from './choose-agent.ts'

/** When everybody who is free has passed a ticket, it is offered again after this time. */
const offerPauseMs = seconds(60)

/**
 * Offers a locked ticket. The offer is open as long as the ticket waits: the database ends it when somebody accepts,
 * closes, moves or snoozes the ticket, and when the agent leaves (migration 0511). A second offer runs out later than the
 * first, because people answer one at a time.
 */
export async function offerTicket(
  scope: Scope,
  ticket: TicketDetail,
  { userId, why, details, queueId, seconds: open }: RoutingChoice & { queueId: number; seconds: number },
): Promise<void> {
  const { companyId } = scope
  const now = scope.now()
  const { rows } = await sql<{ dueAt: string }>`
    select greatest(${now}::timestamptz, max("dueAt")) + make_interval(secs => ${open}) as "dueAt" from "ticketOffers"
    where "companyId" = ${companyId} and "userId" = ${userId}`.execute(scope.db)
  const dueAt = rows[0]?.dueAt ?? addMs(now, seconds(open))
  const offer = { queueId, userId, offeredAt: now, seconds: open, dueAt, why, details: JSON.stringify(details) }
  await scope.db
    .insertInto('ticketOffers')
    .values({ companyId, ticketId: ticket.id, ...offer })
    .onConflict((conflict) => conflict.columns(['companyId', 'ticketId']).doUpdateSet(offer))
    .execute()
  await requestOfferPush(scope, ticket.id, userId)
}

/** The caller's open offer of this ticket ends because they accept. Null: the time is over, or there was none. */
export async function takeOffer(
  scope: Scope,
  ticketId: number,
): Promise<Pick<RoutingChoice, 'why' | 'details'> | null> {
  const offer = await scope.db
    .deleteFrom('ticketOffers')
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('userId', '=', scope.actor.id)
    .where('dueAt', '>', scope.now().toISOString())
    .returning(['why', 'details'])
    .executeTakeFirst()
  if (offer) await startNextOffer(scope, scope.actor.id)
  return offer ?? null
}

/**
 * An offer ends without an acceptance: the caller's open one (`declined`), or one whose time is over (`missed`). Null:
 * there is none, or it ended otherwise. Of an acceptance, a decline and the end of the time, the first to change the row
 * wins.
 */
export async function passOffer(
  scope: Scope,
  ticketId: number,
  how: 'declined' | 'missed',
): Promise<{ userId: number; queueId: number; name: string } | null> {
  const now = scope.now()
  const isEnding =
    how === 'declined' ? sql`o."userId" = ${scope.actor.id} and o."dueAt" > ${now}` : sql`o."dueAt" <= ${now}`
  const { rows } = await sql<{ userId: number; queueId: number; name: string }>`
    update "ticketOffers" o set "userId" = null, "dueAt" = ${addMs(now, offerPauseMs)},
      "passedUserIds" = array_append(o."passedUserIds", o."userId")
    from users u
    where o."companyId" = ${scope.companyId} and o."ticketId" = ${ticketId} and ${isEnding}
      and u."companyId" = o."companyId" and u.id = o."userId"
    returning u.id as "userId", o."queueId", u.name`.execute(scope.db)
  const passed = rows[0]
  if (passed) await startNextOffer(scope, passed.userId)
  return passed ?? null
}

/** Nobody has the offer of this ticket, and its pause is over: it may be offered to everybody again. */
export async function restartOffer(scope: Scope, ticketId: number): Promise<void> {
  await scope.db
    .deleteFrom('ticketOffers')
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('userId', 'is', null)
    .execute()
}

/** The time of the agent's next offer begins when the one before ends. */
async function startNextOffer(scope: Scope, userId: number): Promise<void> {
  const end = sql`${scope.now()}::timestamptz + make_interval(secs => seconds)`
  await sql`
    update "ticketOffers" set "dueAt" = ${end}
    where "companyId" = ${scope.companyId} and "userId" = ${userId} and "dueAt" > ${end}`.execute(scope.db)
}
