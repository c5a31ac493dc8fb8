import type { Ticket, TicketDetail } from '@recado/contract/tickets'
import { type Insertable, sql } from 'kysely'
import { lockContacts } from '../../directory/contacts/contact-store.ts'
import { minutes } from '../../kernel/clock.ts'
import { keepPrepared } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../../kernel/errors.ts'
import {
  type ChatKey,
  chatKeysSql,
  chatKeyText,
  nextTimestampInChat,
  nextTimestampPerChat,
} from './base/chat-timestamps.ts'
import { updateGoals } from './base/goals.ts'
import { notifyAssigned } from './base/notices.ts'
import { publishTicketChanged } from './base/publish-ticket.ts'
import { presentTicket, presentTickets } from './base/ticket-view.ts'
import { makeStep, recordTicketEvent, recordTicketEvents, trackSegment } from './base/tracking.ts'
import type { TicketVisibility } from './base/visibility.ts'
import { publishTicketWebhook } from './base/webhook-events.ts'
import { ticketConflicts, updateTicketQuietly } from './lifecycle.ts'

/** `before`: the earlier state of a reused ticket, to publish the change to users who saw it. */
export type OpenedTicket = {
  id: number
  how: 'joined' | 'opened' | 'reused'
  status: 'pending' | 'open'
  before?: TicketVisibility
}
type OpenRequest = {
  contactId: number
  whatsappId: number
  isGroup: boolean
  queueId: number | null
  reuseMinutes: number
  /** The preview of the message that opens the ticket, if that message counts as unread. */
  preview?: string | undefined
}

/**
 * The open ticket of this contact on this line, or a new one. If two processes insert at once, the partial unique index
 * refuses the second, which then finds the first one's row.
 */
export async function joinOrOpenTicket(scope: Scope, w: OpenRequest): Promise<OpenedTicket> {
  const living = await findActive(scope, w)
  if (living) return { ...living, how: 'joined' }
  const reused = w.reuseMinutes > 0 ? await reuseClosedTicket(scope, w) : null
  if (reused) return reused
  const now = await nextTimestampInChat(scope, w)
  const { contactId, whatsappId, queueId, isGroup, preview: says } = w
  const created = await scope.load(insertTickets, {
    ...{ companyId: scope.companyId, contactId, whatsappId, queueId, isGroup },
    // The customer waits from now on. Set with the insert, so that storing the message needs no index update (see
    // message-activity.ts).
    ...{ status: 'pending', createdAt: now, updatedAt: now, waitingSince: now },
    ...(says !== undefined && { lastMessage: says, unreadMessages: 1 }),
  })
  if (!created)
    return { ...((await findActive(scope, w)) as { id: number; status: 'pending' | 'open' }), how: 'joined' }
  await trackSegment(scope, { ...w, id: created.id }, { queuedAt: now })
  await updateGoals(scope, created.id, null)
  await publishTicketWebhook(scope, 'ticket.opened', created.id)
  return { id: created.id, how: 'opened', status: 'pending' }
}

type StartRequest = {
  contactId: number
  whatsappId: number
  isGroup: boolean
  queueId: number | null
  userId: number | null
}

/**
 * The ticket for an API message: the open ticket of this contact on this line, locked, or a new pending ticket (`userId`:
 * assigned at once). The customer did not write, so no bot starts. Their answer is handled as usual, unless the API client
 * named a queue or an agent.
 */
export async function joinOrStartTicket(scope: Scope, w: StartRequest): Promise<TicketDetail> {
  const living = await findActive(scope, w)
  if (living) return presentTicket(scope, living.id)
  const now = await nextTimestampInChat(scope, w)
  const created = await translateConstraintErrors(ticketConflicts, () =>
    scope.load(insertTickets, {
      ...{ companyId: scope.companyId, ...w, createdAt: now, updatedAt: now },
      status: w.userId === null ? 'pending' : 'open',
      botLeft: w.queueId !== null || w.userId !== null,
    }),
  )
  if (!created) return joinOrStartTicket(scope, w)
  await updateGoals(scope, created.id, null)
  const ticket = await presentTicket(scope, created.id)
  await trackSegment(scope, ticket, { queuedAt: now, ...(w.userId !== null && { startedAt: now, userId: w.userId }) })
  await recordTicketEvent(
    scope,
    ticket.id,
    'create',
    makeStep('opened', 'by-program', { key: scope.person?.key?.name ?? null }),
  )
  await publishTicketWebhook(scope, 'ticket.opened', ticket.id)
  publishTicketChanged(scope, null, ticket)
  await notifyAssigned(scope, null, ticket)
  return ticket
}

type OwnMessageTarget = { contactId: number; whatsappId: number; userId: number | null }

/**
 * The tickets for messages sent on our own initiative, such as scheduled messages: the open ticket of each contact on its
 * line, locked. If none is open, a new ticket is created that is closed from the beginning, under the name of the author
 * (`userId`): it notifies nobody, and the customer's answer opens another ticket as usual. It has no segment, because
 * nobody waited or attended.
 */
export async function prepareOwnMessageTickets(scope: Scope, all: OwnMessageTarget[]): Promise<Ticket[]> {
  const isGroup = await loadIsGroup(scope, all)
  const living = await lockActiveTickets(scope, all)
  const homeless = all.filter((one) => !living.has(chatKeyText(one)))
  const now = await nextTimestampPerChat(scope, homeless)
  const values = homeless.map(({ contactId, whatsappId, userId }, n) => ({
    companyId: scope.companyId,
    ...{ contactId, whatsappId, userId, isGroup: isGroup.get(contactId) ?? false, queueId: null },
    ...{ status: 'closed' as const, createdAt: now[n] as Date, updatedAt: now[n] as Date },
  }))
  const created = values.length
    ? await translateConstraintErrors(ticketConflicts, () =>
        scope.db.insertInto('tickets').values(values).returning('id').execute(),
      )
    : []
  const own = new Map(homeless.map((one, n) => [one, (created[n] as { id: number }).id]))
  const idOf = (one: OwnMessageTarget) => own.get(one) ?? (living.get(chatKeyText(one)) as number)
  const tickets = new Map((await presentTickets(scope, [...new Set(all.map(idOf))])).map((one) => [one.id, one]))
  const fresh = created.map(({ id }) => tickets.get(id) as TicketDetail)
  await recordTicketEvents(
    scope,
    'create',
    fresh.map(({ id, number, status }) => ({
      ticketId: id,
      steps: [makeStep('ticket', 'no-living-ticket', { ticket: id, number, status })],
    })),
  )
  for (const ticket of fresh) publishTicketChanged(scope, null, ticket)
  return all.map((one) => tickets.get(idOf(one)) as Ticket)
}

/** Which of these contacts are groups; they cannot be deleted until the transaction ends. */
async function loadIsGroup(scope: Scope, all: OwnMessageTarget[]): Promise<Map<number, boolean>> {
  const ids = [...new Set(all.map(({ contactId }) => contactId))]
  const found = await lockContacts(scope, ids)
  if (found.length < ids.length) throw new AppError('ERR_NO_CONTACT_FOUND')
  return new Map(found.map(({ id, isGroup }) => [id, isGroup]))
}

/** Locks the active tickets of these contacts in id order, to avoid deadlocks. */
async function lockActiveTickets(scope: Scope, all: OwnMessageTarget[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; contactId: number; whatsappId: number }>`
    select id, "contactId", "whatsappId" from tickets
    where "companyId" = ${scope.companyId} and status in ('open', 'pending') and ("contactId", "whatsappId") in (
      select * from unnest(${all.map((one) => one.contactId)}::int[], ${all.map((one) => one.whatsappId)}::int[]))
    order by id for update`.execute(scope.db)
  return new Map(rows.map((row) => [chatKeyText(row), row.id]))
}

type ActiveTicket = { id: number; status: 'pending' | 'open' } | undefined
const findActive = (scope: Scope, { contactId, whatsappId }: ChatKey): Promise<ActiveTicket> =>
  scope.load(findActiveInBatch, { contactId, whatsappId })

/** The active tickets of these chats, locked in id order. */
async function findActiveInBatch(scope: Scope, all: ChatKey[]): Promise<ActiveTicket[]> {
  const { rows } = await sql<ChatKey & NonNullable<ActiveTicket>>`${keepPrepared}
    select t.id, t.status, t."contactId", t."whatsappId" from tickets t where t."companyId" = ${scope.companyId} and t.id = any(array(
      select l.id from ${chatKeysSql(all)} cross join lateral (
        select l.id from tickets l where l."companyId" = ${scope.companyId} and l."contactId" = x."contactId"
          and l."whatsappId" = x."whatsappId" and l.status in ('open', 'pending') limit 1
      ) l)) and t.status in ('open', 'pending') order by t.id for update`.execute(scope.db)
  const found = new Map(rows.map((row) => [chatKeyText(row), row]))
  return all.map((one) => found.get(chatKeyText(one)))
}

/** The inserted tickets; undefined where another ticket is already open. */
async function insertTickets(scope: Scope, all: Insertable<DB['tickets']>[]): Promise<({ id: number } | undefined)[]> {
  const rows = await scope.db
    .insertInto('tickets')
    .values(all)
    .onConflict((c) =>
      c.columns(['companyId', 'contactId', 'whatsappId']).where('status', 'in', ['open', 'pending']).doNothing(),
    )
    .returning(['id', 'contactId', 'whatsappId'])
    .execute()
  const created = new Map(rows.map((row) => [chatKeyText(row as ChatKey), row]))
  return all.map((one) => created.get(chatKeyText(one as ChatKey)))
}

/**
 * Continues a conversation that was closed a moment ago, as pending. A ticket closed from the beginning (see
 * `prepareOwnMessageTickets`) was no conversation, and has no segment.
 */
async function reuseClosedTicket(scope: Scope, w: OpenRequest): Promise<OpenedTicket | null> {
  const since = new Date(scope.now().getTime() - minutes(w.reuseMinutes))
  const { contactId, whatsappId } = w
  const before = await scope.load(findClosedInBatch, { contactId, whatsappId, since })
  if (!before) return null
  await updateTicketQuietly(scope, before.id, {
    status: 'pending',
    userId: null,
    laneSince: scope.now(),
    updatedAt: scope.now(),
  })
  await trackSegment(scope, { ...before, whatsappId: w.whatsappId }, { queuedAt: scope.now() }, 'again')
  await updateGoals(scope, before.id, null)
  await publishTicketWebhook(scope, 'ticket.opened', before.id)
  return { id: before.id, how: 'reused', status: 'pending', before }
}

type ClosedTicket = TicketVisibility & { id: number }
/** The newest ticket of each chat that was closed since then, locked. */
async function findClosedInBatch(
  scope: Scope,
  all: (ChatKey & { since: Date })[],
): Promise<(ClosedTicket | undefined)[]> {
  const { rows } = await sql<ClosedTicket & ChatKey>`${keepPrepared}
    select t.id, t."companyId", t."userId", t."queueId", t.status, t."contactId", t."whatsappId" from tickets t
    where t."companyId" = ${scope.companyId} and t.status = 'closed' and t.id = any(array(
      select l.id from unnest(
        ${all.map((one) => one.contactId)}::int[], ${all.map((one) => one.whatsappId)}::int[], ${all.map((one) => one.since)}::timestamptz[]
      ) x ("contactId", "whatsappId", since) cross join lateral (
        select l.id from tickets l where l."companyId" = ${scope.companyId} and l."contactId" = x."contactId"
          and l."whatsappId" = x."whatsappId" and l.status = 'closed' and l."updatedAt" > x.since
          and exists (select from "ticketTracking" k where k."companyId" = ${scope.companyId} and k."ticketId" = l.id)
        order by l.id desc limit 1
      ) l)) order by t.id for update`.execute(scope.db)
  const found = new Map(rows.map(({ contactId, whatsappId, ...row }) => [chatKeyText({ contactId, whatsappId }), row]))
  return all.map((one) => found.get(chatKeyText(one)))
}
