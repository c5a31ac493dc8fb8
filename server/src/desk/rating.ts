import type { Message } from '@recado/contract/messages'
import { maxRatingCommentLength, type RatingScale, toRateOfThree } from '@recado/contract/text/rating-scale'
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
  /** The scale of the question. */
  scale: RatingScale
  /** Set if the number was given and the customer was asked for a comment on it. */
  commentOf: number | null
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
  asked?: RatingScale,
): Promise<{ first: string; again: string; until: Date; scale: RatingScale }> => {
  const { setting, language } = await loadCompanyContext(scope)
  const scale = asked ?? (Number(setting('ratingScale')) as RatingScale)
  const { ask, again, lines } = buildBotTexts(setting, language).rating(scale)
  const { ratingMessage } = await loadRatingTexts(scope, ticket)
  const until = addMs(scope.now(), hours(Number(setting('ratingWindow'))))
  return { first: `${ratingMessage || ask}\n\n${lines}`, again: `${again}\n\n${lines}`, until, scale }
}

/** Sends the rating request. `userId`: the agent who attended. */
export async function askRating(scope: Scope, ticket: Ticket, userId: number, notBefore?: Date): Promise<void> {
  const { first, until, scale } = await buildRatingQuestion(scope, ticket)
  const question = await sendBotMessage(scope, ticket, 'rating', first, { notBefore })
  const { companyId } = scope
  const messageId = question ? Number(question.id) : await findLastOwnMessage(scope, ticket.id)
  const ratingRequest = { messageId, asked: 1, askedAt: scope.now(), until, userId, completed: false, scale }
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
      select r."ticketId", r."userId", r.asked, r.completed, r.scale, null::int as "commentOf", not exists (
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
export async function askRatingAgain(scope: Scope, ticket: Ticket, scale: RatingScale): Promise<void> {
  const { again } = await buildRatingQuestion(scope, ticket, scale)
  const question = await sendBotMessage(scope, ticket, 'rating', again)
  await scope.db
    .updateTable('ratingRequests')
    .set((eb) => ({ asked: eb('asked', '+', 1), ...(question && { messageId: Number(question.id) }) }))
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticket.id)
    .execute()
}

/** Stores the rating for the agent, with the queue and line of the rated conversation. Returns its id. */
export async function storeRating(
  scope: Scope,
  { ticketId, userId, scale }: PendingRating,
  score: number,
): Promise<number> {
  const rate = toRateOfThree(scale, score)
  const { rows } = await sql<{ id: number }>`
    insert into "userRatings" ("companyId", "ticketId", "queueId", "whatsappId", "userId", rate, scale, score, "createdAt")
    select "companyId", id, "queueId", "whatsappId", ${userId}::int, ${rate}::smallint, ${scale}::smallint, ${score}::smallint,
      ${scope.now()}::timestamptz
    from tickets where "companyId" = ${scope.companyId} and id = ${ticketId} returning id`.execute(scope.db)
  await trackRating(scope, ticketId, { rated: true })
  publishReportsChanged(scope)
  await recordTicketEvent(scope, ticketId, 'rated', makeStep('rated', 'by-customer', { rate: score, scale }))
  await publishRatingWebhook(scope, { ticketId, userId, rate, scale, score })
  await deleteRatingRequest(scope, ticketId)
  return rows[0]?.id as number
}

export async function deleteRatingRequest(scope: Scope, ticketId: number): Promise<void> {
  await scope.db
    .deleteFrom('ratingRequests')
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .execute()
}

/** How long the next words of the customer count as the comment on their rating. */
const commentWindowMs = hours(1)

/** Asks why, once, if the company wants comments. The farewell follows the comment. Returns whether it was asked. */
export async function askRatingComment(scope: Scope, ticket: Ticket, ratingId: number): Promise<boolean> {
  const { setting, language } = await loadCompanyContext(scope)
  if (setting('ratingComment') !== 'enabled') return false
  const { comment } = buildBotTexts(setting, language).rating(3)
  const question = await sendBotMessage(scope, ticket, 'rating', comment)
  if (!question) return false
  await scope.db
    .updateTable('userRatings')
    .set({ commentUntil: addMs(scope.now(), commentWindowMs), commentAskedId: Number(question.id) })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', ratingId)
    .execute()
  return true
}

/** A rating whose comment is awaited. As with a rating, only while the question is our last message and no ticket is open. */
export const findPendingComment = (
  scope: Scope,
  contactId: number,
  whatsappId: number,
): Promise<PendingRating | null> => scope.load(findPendingCommentsInBatch, { contactId, whatsappId })

async function findPendingCommentsInBatch(scope: Scope, all: ChatKey[]): Promise<(PendingRating | null)[]> {
  const { rows } = await sql<PendingRating & { n: number }>`
    select x.n::int, r."ticketId", r."userId", 1 as asked, false as completed, r.scale, r.id as "commentOf", true as alone
    from "userRatings" r
    join tickets t on t."companyId" = r."companyId" and t.id = r."ticketId"
    join unnest(${all.map((one) => one.contactId)}::int[], ${all.map((one) => one.whatsappId)}::int[])
      with ordinality x ("contactId", "whatsappId", n) on x."contactId" = t."contactId" and x."whatsappId" = t."whatsappId"
    where r."companyId" = ${scope.companyId} and r."commentUntil" > ${scope.now()}
      and not exists (
        select from tickets o where o."companyId" = t."companyId" and o."contactId" = t."contactId"
          and o."whatsappId" = t."whatsappId" and o.status in ('open', 'pending')
      ) and not exists (
        select from messages m where m."companyId" = t."companyId" and m."contactId" = t."contactId"
          and m."whatsappId" = t."whatsappId" and m."fromMe" and m.id > r."commentAskedId"
      )
    order by r.id`.execute(scope.db)
  const found = new Map(rows.map(({ n, ...pending }) => [n, pending]))
  return all.map((_, n) => found.get(n + 1) ?? null)
}

/** Stores what the customer wrote about their rating. */
export async function storeRatingComment(
  scope: Scope,
  { ticketId, commentOf }: PendingRating,
  text: string,
): Promise<void> {
  const comment = text.trim().slice(0, maxRatingCommentLength).toWellFormed()
  await scope.db
    .updateTable('userRatings')
    .set({ comment, commentUntil: null })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', commentOf)
    .execute()
  await recordTicketEvent(scope, ticketId, 'rated', makeStep('rating-comment', 'by-customer'))
  publishReportsChanged(scope)
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
