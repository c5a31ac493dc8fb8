import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { addMs, hours } from '../kernel/clock.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { canReceiveBotMessages, sendBotMessage } from './bot-message.ts'
import { buildBotTexts } from './bot-texts.ts'
import { loadCompanyContext } from './company-context.ts'
import { isReplyWindowOpen } from './reply-window.ts'
import { publishReportsChanged } from './report-changes.ts'
import { presentTicket } from './tickets/base/ticket-view.ts'
import { makeStep, recordTicketEvent, trackRating } from './tickets/base/tracking.ts'
import { publishRatingWebhook } from './tickets/base/webhook-events.ts'

/** A rating request that may still be answered. `alone`: the customer has no other open ticket. */
export type PendingRating = {
  ticketId: number
  userId: number | null
  asked: number
  alone: boolean
  /** Whether the farewell was already sent. */
  completed: boolean
}

type RatingTexts = { complationMessage: string; ratingMessage: string }

/** The queue's rating texts, else the line's. */
async function loadRatingTexts(scope: Scope, ticket: Ticket): Promise<RatingTexts> {
  const { rows } = await sql<RatingTexts>`
    select coalesce(nullif(q."complationMessage", ''), w."complationMessage", '') as "complationMessage",
      coalesce(nullif(q."ratingMessage", ''), w."ratingMessage", '') as "ratingMessage"
    from tickets t
    left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"
    left join whatsapps w on w."companyId" = t."companyId" and w.id = t."whatsappId"
    where t."companyId" = ${scope.companyId} and t.id = ${ticket.id}`.execute(scope.db)
  return rows[0] ?? { complationMessage: '', ratingMessage: '' }
}

const buildRatingQuestion = async (
  scope: Scope,
  ticket: Ticket,
): Promise<{ first: string; again: string; until: Date }> => {
  const { setting, language } = await loadCompanyContext(scope)
  const { rating, ratingAgain, scale } = buildBotTexts(setting, language)
  const { ratingMessage } = await loadRatingTexts(scope, ticket)
  const until = addMs(scope.now(), hours(Number(setting('ratingWindow'))))
  return { first: `${ratingMessage || rating}\n\n${scale}`, again: `${ratingAgain}\n\n${scale}`, until }
}

/** Sends the rating request. `userId`: the agent who attended. */
export async function askRating(scope: Scope, ticket: Ticket, userId: number, notBefore?: Date): Promise<void> {
  const { first, until } = await buildRatingQuestion(scope, ticket)
  const question = await sendBotMessage(scope, ticket, 'rating', first, { notBefore })
  const { companyId } = scope
  const messageId = question ? Number(question.id) : await findLastOwnMessage(scope, ticket.id)
  const ratingRequest = { messageId, asked: 1, askedAt: scope.now(), until, userId, completed: false }
  await scope.db
    .insertInto('ratingRequests')
    .values({ companyId, ticketId: ticket.id, ...ratingRequest })
    .onConflict((c) => c.columns(['companyId', 'ticketId']).doUpdateSet(ratingRequest))
    .execute()
  await trackRating(scope, ticket.id, { ratingAt: scope.now() })
}

/**
 * The last message that we sent in the ticket: shows whether the ticket was closed again without a message after the
 * rating request.
 */
async function findLastOwnMessage(scope: Scope, ticketId: number): Promise<number> {
  const own = scope.db.selectFrom('messages').select('id').where('companyId', '=', scope.companyId)
  const last = own.where('ticketId', '=', ticketId).where('fromMe', '=', true).orderBy('id', 'desc').limit(1)
  return (await last.executeTakeFirst())?.id ?? 0
}

/**
 * Finds the pending rating request. It is pending only while it is our last message and no other agent talks with the
 * customer.
 */
export const findPendingRating = (scope: Scope, contactId: number, whatsappId: number): Promise<PendingRating | null> =>
  scope.load(findPendingRatingsInBatch, { contactId, whatsappId })

type ChatKey = { contactId: number; whatsappId: number }
async function findPendingRatingsInBatch(scope: Scope, all: ChatKey[]): Promise<(PendingRating | null)[]> {
  const { rows } = await sql<PendingRating & { n: number }>`
    select x.n::int, a.* from unnest(${all.map((one) => one.contactId)}::int[], ${all.map((one) => one.whatsappId)}::int[])
      with ordinality x ("contactId", "whatsappId", n)
    cross join lateral (
      select r."ticketId", r."userId", r.asked, r.completed, not exists (
        select from tickets l where l."companyId" = t."companyId" and l."contactId" = t."contactId"
          and l."whatsappId" = t."whatsappId" and l.status in ('open', 'pending')
      ) as alone
      from tickets t join "ratingRequests" r on r."companyId" = t."companyId" and r."ticketId" = t.id
      where t."companyId" = ${scope.companyId} and t."contactId" = x."contactId" and t."whatsappId" = x."whatsappId"
        and r.until > ${scope.now()} and not exists (
          select from tickets o where o."companyId" = t."companyId" and o."contactId" = t."contactId"
            and o."whatsappId" = t."whatsappId" and o.status = 'open'
        ) and not exists (
          select from messages m where m."companyId" = t."companyId" and m."contactId" = t."contactId"
            and m."whatsappId" = t."whatsappId" and m."fromMe" and m.id > r."messageId"
            and m."createdAt" > r."askedAt" - interval '1 minute'
        )
      order by t.id desc limit 1
    ) a`.execute(scope.db)
  const found = new Map(rows.map(({ n, ...ratingRequest }) => [n, ratingRequest]))
  return all.map((_, n) => found.get(n + 1) ?? null)
}

/** After an invalid number, sends the rating request once more, and not a third time. */
export async function askRatingAgain(scope: Scope, ticket: Ticket): Promise<void> {
  const { again } = await buildRatingQuestion(scope, ticket)
  const question = await sendBotMessage(scope, ticket, 'rating', again)
  await scope.db
    .updateTable('ratingRequests')
    .set((eb) => ({ asked: eb('asked', '+', 1), ...(question && { messageId: Number(question.id) }) }))
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticket.id)
    .execute()
}

/** Stores the rating for the agent, with the queue and line of the rated conversation. */
export async function storeRating(scope: Scope, { ticketId, userId }: PendingRating, rate: number): Promise<void> {
  await sql`
    insert into "userRatings" ("companyId", "ticketId", "queueId", "whatsappId", "userId", rate, "createdAt")
    select "companyId", id, "queueId", "whatsappId", ${userId}::int, ${rate}::smallint, ${scope.now()}::timestamptz
    from tickets where "companyId" = ${scope.companyId} and id = ${ticketId}`.execute(scope.db)
  await trackRating(scope, ticketId, { rated: true })
  publishReportsChanged(scope)
  await publishRatingWebhook(scope, ticketId, userId, rate)
  await deleteRatingRequest(scope, ticketId)
}

export async function deleteRatingRequest(scope: Scope, ticketId: number): Promise<void> {
  await scope.db
    .deleteFrom('ratingRequests')
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .execute()
}

/** Sends the farewell, if there is a text. */
export async function sendCompletionMessage(scope: Scope, ticket: Ticket, notBefore?: Date): Promise<Message | null> {
  const { complationMessage } = await loadRatingTexts(scope, ticket)
  return sendBotMessage(scope, ticket, 'completion', complationMessage, { notBefore })
}

/**
 * Sends the farewell when the customer wrote something other than a number. A number sent later still counts as the
 * rating.
 */
export async function completeWithoutRating(scope: Scope, { ticketId }: PendingRating): Promise<void> {
  const goodbye = await sendCompletionMessage(scope, await presentTicket(scope, ticketId))
  await scope.db
    .updateTable('ratingRequests')
    .set({ completed: true, ...(goodbye && { messageId: Number(goodbye.id) }) })
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .execute()
}

/**
 * The rating request expired: from now on a number is an ordinary message. The farewell is sent now, if possible, but not
 * to a customer who has another open ticket.
 */
export async function expireRatingRequest(scope: Scope, ticketId: number): Promise<boolean> {
  const due = await scope.db
    .deleteFrom('ratingRequests')
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('until', '<=', scope.now().toISOString())
    .returning(['completed'])
    .executeTakeFirst()
  if (!due) return false
  await recordTicketEvent(scope, ticketId, 'rating', makeStep('rating', 'nobody-answered'))
  const ticket = await presentTicket(scope, ticketId)
  if (
    !due.completed &&
    (await hasNoActiveTicket(scope, ticket)) &&
    (await canReceiveBotMessages(scope, ticket)) &&
    isReplyWindowOpen(scope, ticket)
  )
    await sendCompletionMessage(scope, ticket)
  return true
}

/** Whether the customer has no open ticket on that line. */
async function hasNoActiveTicket(scope: Scope, { contactId, whatsappId }: Ticket): Promise<boolean> {
  const living = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('whatsappId', '=', whatsappId)
    .where('status', 'in', ['open', 'pending'])
    .limit(1)
    .executeTakeFirst()
  return !living
}
