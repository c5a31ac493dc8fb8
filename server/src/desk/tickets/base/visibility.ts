import * as sight from '@recado/contract/visibility'
import { type RawBuilder, sql } from 'kysely'
import { hideIdFromPlanner, hideIdsFromPlanner } from '../../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../../kernel/data/scope.ts'

export type TicketVisibility = sight.TicketVisibilityFields & { companyId: number }
export type Viewer = sight.TicketVisibilityUser & { companyId: number }

/** Whether a user may see a ticket: the contract's rule within one company. A test keeps the three forms of it equal. */
export const canSeeTicket = (viewer: Viewer, ticket: TicketVisibility): boolean =>
  viewer.companyId === ticket.companyId && sight.isTicketVisibleTo(viewer, ticket)

/**
 * The same rule as an SQL condition on `t`. It only filters tickets that other conditions find: `is true` keeps the
 * planner from using it with an index. The planner knows only the average company, so for a large company it would
 * collect and sort tens of thousands of tickets instead of reading an index in order.
 */
export function canSeeTicketSql(viewer: Viewer): RawBuilder<boolean> {
  if (sight.canSeeAllTickets(viewer)) return sql<boolean>`true`
  const queued = sql`t."queueId" = any(${hideIdsFromPlanner(viewer.queueIds)})${sight.canLeadQueues(viewer) ? sql`` : sql` and t.status <> 'open'`}`
  const loose = viewer.allTicket ? sql` or (t."queueId" is null and t.status = 'pending')` : sql``
  return sql<boolean>`((t."userId" = ${hideIdFromPlanner(viewer.id)} or (${queued})${loose}) is true)`
}

/**
 * The tickets of a chat that a user who sees one of them may read, as a condition on `t`: all tickets that the user sees,
 * and closed tickets without a queue. A ticket that another agent attends now is excluded.
 */
export const canReadTicketSql = (viewer: Viewer): RawBuilder<boolean> =>
  sql<boolean>`(${canSeeTicketSql(viewer)} or (t."queueId" is null and t.status = 'closed'))`

/**
 * The same rule for records of a ticket (files, notes), wherever they are listed: records of tickets that the user sees,
 * and of closed tickets without a queue in a chat in which the user sees another ticket. `line` is the chat's line.
 */
export function canReadByTicketSql(
  viewer: Viewer,
  ticketId: RawBuilder<unknown>,
  line: RawBuilder<unknown> = sql`h."whatsappId"`,
): RawBuilder<boolean> {
  if (sight.canSeeAllTickets(viewer)) return sql<boolean>`true`
  return sql<boolean>`exists (
    select 1 from tickets h join tickets t on t."companyId" = h."companyId" and t."contactId" = h."contactId"
      and (t.id = h.id or (t."whatsappId" = ${line} and h."queueId" is null and h.status = 'closed'))
    where h."companyId" = ${viewer.companyId} and h.id = ${ticketId} and ${canSeeTicketSql(viewer)})`
}

/** Whether the user sees a ticket of a chat, and so may read the chat's messages without a ticket. */
export const canSeeChatSql = (
  viewer: Viewer,
  contactId: RawBuilder<unknown>,
  line: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sight.canSeeAllTickets(viewer)
    ? sql<boolean>`true`
    : sql<boolean>`exists (
    select 1 from tickets t where t."companyId" = ${viewer.companyId} and t."contactId" = ${contactId}
      and t."whatsappId" = ${line} and ${canSeeTicketSql(viewer)})`

/** The same rule as socket rooms: the rooms that a ticket is published to. */
export function roomsOfTicket(ticket: TicketVisibility): string[] {
  const { companyId: c, queueId: q, status } = ticket
  const rooms = [`company-${c}-admin`]
  if (ticket.userId !== null) rooms.push(`user-${ticket.userId}`)
  if (q !== null) rooms.push(`queue-${c}-${q}-supervisor`)
  if (q !== null && status !== 'open') rooms.push(`queue-${c}-${q}-user`)
  if (q === null && status === 'pending') rooms.push(`loose-${c}`)
  return rooms
}

/** The rooms that a viewer's sockets join, besides the rooms of the company and of the user. */
export const roomsOfViewer = (viewer: Viewer): string[] => [
  ...(sight.canSeeAllTickets(viewer)
    ? []
    : viewer.queueIds.map(
        (q) => `queue-${viewer.companyId}-${q}-${sight.canLeadQueues(viewer) ? 'supervisor' : 'user'}`,
      )),
  ...(viewer.allTicket ? [`loose-${viewer.companyId}`] : []),
]

/** The caller with the rights stored in the session; null in a company that is not theirs. */
export function currentViewer({ actor, companyId }: Scope): Viewer | null {
  const { id, profile, queueIds, allTicket } = actor
  return actor.companyId === companyId ? { id, companyId, profile, queueIds, allTicket } : null
}

const selectViewers = (scope: Scope) =>
  scope.db
    .selectFrom('users as u')
    .select((eb) => [
      'u.id',
      'u.name',
      'u.companyId',
      'u.profile',
      'u.allTicket',
      eb
        .selectFrom('userQueues as q')
        .whereRef('q.userId', '=', 'u.id')
        .whereRef('q.companyId', '=', 'u.companyId')
        .select(sql<number[]>`coalesce(array_agg(q."queueId"), '{}')`.as('ids'))
        .as('queueIds'),
    ])
    .where('u.companyId', '=', scope.companyId)

type ViewerRow = Awaited<ReturnType<ReturnType<typeof selectViewers>['execute']>>[number]
const toViewer = ({ name: _name, ...row }: ViewerRow): Viewer => ({
  ...row,
  queueIds: row.queueIds ?? [],
  allTicket: row.allTicket === 'enabled',
})

/** A user with their current rights. */
export async function loadViewer(scope: Scope, userId = scope.actor.id): Promise<Viewer | null> {
  const row = await selectViewers(scope).where('u.id', '=', userId).executeTakeFirst()
  return row ? toViewer(row) : null
}

/** All active users, with their current rights. */
export const loadAllViewers = async (scope: Scope): Promise<Viewer[]> =>
  (await selectViewers(scope).where('u.active', '=', true).execute()).map(toViewer)

/** Several users with their current rights, by id. */
export async function loadViewers(scope: Scope, userIds: number[]): Promise<Map<number, Viewer>> {
  if (!userIds.length) return new Map()
  const rows = await selectViewers(scope).where('u.id', 'in', userIds).execute()
  return new Map(rows.map((row) => [row.id, toViewer(row)]))
}

/** All active users, with names. `byNote`: a user who can see the ticket only if a note mentions them. */
export async function listMentionableUsers(
  scope: Scope,
  ticket: TicketVisibility,
): Promise<{ id: number; name: string; byNote: boolean }[]> {
  const rows = await selectViewers(scope).where('u.active', '=', true).orderBy('u.name').orderBy('u.id').execute()
  return rows.map((row) => ({ id: row.id, name: row.name, byNote: !canSeeTicket(toViewer(row), ticket) }))
}

/**
 * Tickets that a user may read because a note mentions them, as a condition on `t`. It gives that one ticket to read, as
 * long as the note exists: no other ticket of the chat, no list, search, export, live update or write.
 */
export const isMentionedSql = (userId: number): RawBuilder<boolean> => sql<boolean>`exists (
    select 1 from "noteMentions" x join "ticketNotes" n on n."companyId" = x."companyId" and n.id = x."noteId"
    where x."companyId" = t."companyId" and x."userId" = ${userId} and n."ticketId" = t.id)`

export async function isMentionedIn(scope: Scope, userId: number, ticketId: number): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select ${isMentionedSql(userId)} as is from tickets t
    where t."companyId" = ${scope.companyId} and t.id = ${ticketId}`.execute(scope.db)
  return rows[0]?.is ?? false
}
