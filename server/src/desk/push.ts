import { type Message, type MessageKind, waitingMessageBody } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import type { Language } from '@recado/contract/users'
import { sql } from 'kysely'
import { deletePushSubscriptions } from '../accounts/push-subscriptions.ts'
import { type Deps, Scope } from '../kernel/data/scope.ts'
import { asExternalCallJob, type JobHandlers, outboundLaneName } from '../kernel/jobs.ts'
import type { PushNotification, PushTarget } from '../kernel/outgoing/push.ts'
import { loadCompanyContext } from './company-context.ts'
import { findMessages } from './messages/view.ts'
import { deskTexts } from './texts.ts'
import { findNotice } from './tickets/base/notices.ts'
import { presentTickets } from './tickets/base/ticket-view.ts'
import { canSeeTicket, isMentionedIn, type Viewer } from './tickets/base/visibility.ts'

declare module '../kernel/jobs.ts' {
  interface Jobs {
    /** A customer wrote: find the users to notify by push. */
    'push:ring': { companyId: number; ticketId: number }
    /** A ticket was assigned to a user, or a note mentions them. */
    'push:notice': { companyId: number; noticeId: number }
    /** A waiting ticket was offered to a user. */
    'push:offer': { companyId: number; ticketId: number; userId: number }
    'push:send': { companyId: number; ticketId: number; subscriptionId: number; noticeId?: number; isOffer?: true }
  }
}

/** Ten messages in a row cause one push at the start and one more at the end. */
const minPushIntervalMs = 5000
/** Few attempts: a push that arrives hours later is of no use. */
export const maxPushAttempts = 4
const maxPushTextLength = 140
export const shortenPushText = (text: string): string =>
  [...text].length > maxPushTextLength ? `${[...text].slice(0, maxPushTextLength).join('')}…` : text

/**
 * The time of the last or next push of each ticket or chat. It is kept in memory, because a line runs in only one
 * process.
 */
const lastPushAt = new WeakMap<object, Map<string, number>>()
/** The delay before the push; null if a push is already waiting, which will contain the newest text. */
export function pushDelayMs(server: object, what: string, now: number): number | null {
  const rung = lastPushAt.get(server) ?? new Map<string, number>()
  lastPushAt.set(server, rung)
  if (rung.size > 10_000) for (const [one, at] of rung) if (at + minPushIntervalMs < now) rung.delete(one)
  const last = rung.get(what) ?? 0
  if (last > now) return null
  const wait = Math.max(0, last + minPushIntervalMs - now)
  rung.set(what, now + wait)
  return wait
}

/** Queues pushes for these tickets. Does nothing if nobody in the company has a subscription. */
export async function requestTicketPush(scope: Scope, ticketIds: number[]): Promise<void> {
  const { companyId } = scope
  if (!scope.deps.push.hasSubscribers(companyId)) return
  const now = scope.now().getTime()
  for (const ticketId of ticketIds) {
    const wait = pushDelayMs(scope.deps, `ticket ${ticketId}`, now)
    if (wait === null) continue
    const runAt = wait ? { runAt: new Date(Date.now() + wait) } : {}
    await scope.enqueueJob('push:ring', { companyId, ticketId }, { key: `push:${ticketId}`, ...runAt })
  }
}

/** Queues a push about an offer. Its user has the app open, so the browser shows it only while no tab is focused. */
export async function requestOfferPush(scope: Scope, ticketId: number, userId: number): Promise<void> {
  const { companyId } = scope
  if (scope.deps.push.hasSubscribers(companyId)) await scope.enqueueJob('push:offer', { companyId, ticketId, userId })
}

export type PushSubscriber = PushTarget & { id: number; viewer: Viewer; language: Language | null }

/** Users of the company with a subscription and a live session. */
export async function loadPushSubscribers(
  scope: Scope,
  of: { subscriptionId?: number; userId?: number } = {},
): Promise<PushSubscriber[]> {
  const { rows } = await sql<PushSubscriber>`
    select p.id, p.endpoint, p.p256dh, p.auth, u.language, json_build_object(
      'id', u.id, 'companyId', u."companyId", 'profile', u.profile, 'allTicket', u."allTicket" = 'enabled',
      'queueIds', (select coalesce(json_agg(q."queueId"), '[]') from "userQueues" q where q."companyId" = u."companyId" and q."userId" = u.id)
    ) as viewer
    from "pushSubscriptions" p
    join users u on u."companyId" = p."companyId" and u.id = p."userId" and u.active
    join sessions s on s."userId" = u.id and s.id = p."sessionId" and s."expiresAt" > ${scope.now()}
    where p."companyId" = ${scope.companyId}
      and (${of.subscriptionId ?? null}::int is null or p.id = ${of.subscriptionId ?? null})
      and (${of.userId ?? null}::int is null or p."userId" = ${of.userId ?? null})`.execute(scope.db)
  return rows
}

/** The same rule as for the notification bell: one's own tickets, and pending tickets for users who may accept them. */
const shouldPush = (viewer: Viewer, ticket: Ticket): boolean =>
  canSeeTicket(viewer, ticket) &&
  (ticket.status === 'open' ? ticket.userId === viewer.id : ticket.status === 'pending' && viewer.allTicket)

export const pushJobs = (deps: Deps): Pick<JobHandlers, 'push:ring' | 'push:notice' | 'push:offer' | 'push:send'> => ({
  async 'push:ring'({ companyId, ticketId }) {
    const scope = new Scope(deps, { companyId })
    const [ticket] = await presentTickets(scope, [ticketId])
    if (!ticket?.unreadMessages) return
    for (const { id, viewer } of await loadPushSubscribers(scope)) {
      if (!shouldPush(viewer, ticket) || (await deps.live.isPresent(viewer.id))) continue
      const key = `push:${ticketId}:${id}`
      await scope.enqueueJob(
        'push:send',
        { companyId, ticketId, subscriptionId: id },
        { key, attempts: maxPushAttempts, queue: outboundLaneName(companyId, id) },
      )
    }
  },
  async 'push:notice'({ companyId, noticeId }) {
    const scope = new Scope(deps, { companyId })
    const notice = await findNotice(scope, noticeId)
    if (!notice || (await deps.live.isPresent(notice.userId))) return
    for (const { id } of await loadPushSubscribers(scope, { userId: notice.userId })) {
      const payload = { companyId, ticketId: notice.ticketId, subscriptionId: id, noticeId }
      const key = `push:notice:${noticeId}:${id}`
      await scope.enqueueJob('push:send', payload, {
        key,
        attempts: maxPushAttempts,
        queue: outboundLaneName(companyId, id),
      })
    }
  },
  async 'push:offer'({ companyId, ticketId, userId }) {
    const scope = new Scope(deps, { companyId })
    for (const { id } of await loadPushSubscribers(scope, { userId })) {
      const payload = { companyId, ticketId, subscriptionId: id, isOffer: true as const }
      // One attempt: a later one would come when the time is over.
      await scope.enqueueJob('push:send', payload, { attempts: 1, queue: outboundLaneName(companyId, id) })
    }
  },
  'push:send': asExternalCallJob(async ({ companyId, ticketId, subscriptionId, noticeId, isOffer }) => {
    const scope = new Scope(deps, { companyId })
    const [ticket] = await presentTickets(scope, [ticketId])
    const [bearer] = await loadPushSubscribers(scope, { subscriptionId })
    // Meanwhile the ticket was read or reassigned, or the user logged out.
    if (!ticket || !bearer) return
    const isReadable =
      canSeeTicket(bearer.viewer, ticket) || (noticeId && (await isMentionedIn(scope, bearer.viewer.id, ticket.id)))
    if (!isReadable) return
    const note = isOffer
      ? await buildOfferPush(scope, ticket, bearer)
      : noticeId
        ? await buildNoticePush(scope, ticket, noticeId, bearer)
        : ticket.unreadMessages &&
          shouldPush(bearer.viewer, ticket) &&
          (await buildTicketPush(scope, ticket, bearer.language))
    if (!note) return
    if ((await deps.push.send(companyId, bearer, note)) === 'gone')
      await deletePushSubscriptions(scope, { id: bearer.id })
  }),
})

const loadDeskTexts = async (scope: Scope, language: Language | null) =>
  deskTexts[language ?? (await loadCompanyContext(scope)).language]

const makePushNote = (ticket: Ticket, title: string, body: string): PushNotification => ({
  title,
  body: shortenPushText(body),
  tag: `ticket-${ticket.id}`,
  url: `/tickets/${ticket.uuid}`,
})

/** The author and kind of the notice, with the note below. Null if the notice was read. */
async function buildNoticePush(
  scope: Scope,
  ticket: Ticket,
  id: number,
  to: PushSubscriber,
): Promise<PushNotification | null> {
  const notice = await findNotice(scope, id)
  if (notice?.userId !== to.viewer.id) return null
  const customer = notice.contact.name || notice.contact.number
  const title = (await loadDeskTexts(scope, to.language))[notice.kind](notice.by.name, customer)
  return makePushNote(ticket, title, notice.note ?? '')
}

/** Null if the offer is over. */
async function buildOfferPush(scope: Scope, ticket: Ticket, to: PushSubscriber): Promise<PushNotification | null> {
  const offer = await scope.db
    .selectFrom('ticketOffers')
    .select('ticketId')
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticket.id)
    .where('userId', '=', to.viewer.id)
    .where('dueAt', '>', scope.now().toISOString())
    .executeTakeFirst()
  if (!offer) return null
  const customer = ticket.contact.name || ticket.contact.number
  const { body } = await buildTicketPush(scope, ticket, to.language)
  const title = (await loadDeskTexts(scope, to.language)).offered(customer)
  return { ...makePushNote(ticket, title, body), url: '/tickets', unlessFocused: true }
}

async function buildTicketPush(scope: Scope, ticket: Ticket, language: Language | null): Promise<PushNotification> {
  const words = await loadDeskTexts(scope, language)
  const [last] = await findMessages(scope, sql`m."ticketId" = ${ticket.id} and not m."fromMe"`, sql`m.id desc`, {
    limit: 1,
  })
  const text = last ? describeMessage(last, words) : ''
  const body = ticket.isGroup && last?.contact ? `${last.contact.name}: ${text}` : text
  return makePushNote(ticket, ticket.contact.name || ticket.contact.number, body)
}

function describeMessage({ mediaType, body, isDeleted }: Message, words: (typeof deskTexts)[Language]): string {
  if (mediaType === 'unknown' && !isDeleted) return describeUnknownMessage(body, words)
  const kinds: Partial<Record<MessageKind, string>> = words.kinds
  const kind = isDeleted ? words.deleted : mediaType ? kinds[mediaType] : undefined
  // Locations and cards are stored as data, and a call has no text: such a body is not shown.
  const isMute =
    isDeleted || mediaType === 'locationMessage' || mediaType === 'contactMessage' || mediaType === 'call_log'
  return [kind, isMute ? '' : body].filter(Boolean).join(': ')
}

/** Describes unsupported content: its body is a keyword, followed by the question of a poll in the next row of text. */
function describeUnknownMessage(body: string, words: (typeof deskTexts)[Language]): string {
  const [what, question] = body.split('\n')
  if (what === 'poll') return [words.poll, question].filter(Boolean).join(': ')
  return what === waitingMessageBody ? words.waiting : what === 'view-once' ? words.viewOnce : words.unknown
}
