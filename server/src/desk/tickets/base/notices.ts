import { topics } from '@recado/contract/live'
import { type Notice, noticesApi } from '@recado/contract/notices'
import type { Ticket } from '@recado/contract/tickets'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../../kernel/data/scope.ts'
import { pictureUrl } from '../../../kernel/files/media.ts'
import { route } from '../../../kernel/http/routes.ts'
import { findReadableTicket, presentTickets } from './ticket-view.ts'
import { canSeeTicket, canSeeTicketSql, currentViewer, isMentionedSql, type Viewer } from './visibility.ts'

/** Maximum number of unread notices per user. */
const maxNoticesPerUser = 100

type NoticeRow = Notice & { userId: number }
async function findNotices(scope: Scope, where: RawBuilder<unknown>): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    select n.id, n.kind, n."ticketId", t.uuid, t."isGroup", n."userId", n."createdAt", o.note,
      json_build_object('id', c.id, 'name', c.name, 'number', c.number, 'profilePicUrl', c."profilePicUrl") as contact,
      json_build_object('id', coalesce(n."byId", 0), 'name', n."byName") as by
    from notices n
    join tickets t on t."companyId" = n."companyId" and t.id = n."ticketId"
    join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
    left join "ticketNotes" o on o."companyId" = n."companyId" and o.id = n."noteId"
    where n."companyId" = ${scope.companyId} and ${where} order by n.id desc limit ${maxNoticesPerUser}`.execute(
    scope.db,
  )
  for (const { contact } of rows) contact.profilePicUrl = pictureUrl(scope, contact.profilePicUrl)
  return rows
}

/** One notice with its recipient; null if the recipient has read it meanwhile. */
export async function findNotice(scope: Scope, id: number): Promise<NoticeRow | null> {
  const [row] = await findNotices(scope, sql`n.id = ${id}`)
  return row ?? null
}

type NoticeContent = { kind: Notice['kind']; ticketId: number; noteId: number | null }
/** Who caused a notice; without an id an automation did. */
type NoticeAuthor = { id: number | null; name: string }

/** Notifies each of these users on every device, except the author. */
async function notifyUsers(
  scope: Scope,
  userIds: number[],
  what: NoticeContent,
  { id: byId, name: byName }: NoticeAuthor = scope.actor,
): Promise<void> {
  const { companyId } = scope
  const others = [...new Set(userIds)].filter((id) => id !== byId)
  if (!others.length) return
  const inserted = await scope.db
    .insertInto('notices')
    .values(others.map((userId) => ({ ...what, companyId, userId, byId, byName, createdAt: scope.now() })))
    .returning('id')
    .execute()
  await publishNotices(
    scope,
    inserted.map(({ id }) => id),
  )
}

async function publishNotices(scope: Scope, ids: number[]): Promise<void> {
  const { companyId } = scope
  for (const { userId, ...notice } of await findNotices(scope, sql`n.id = any(${ids}::int[])`)) {
    scope.live(topics.notice, { action: 'create', notice }, { rooms: [`user-${userId}`] })
    if (scope.deps.push.hasSubscribers(companyId))
      await scope.enqueueJob('push:notice', { companyId, noticeId: notice.id })
  }
}

/** Notifies an agent to whom the server assigned a ticket. */
export async function notifyRouted(scope: Scope, { id: ticketId, userId }: Ticket): Promise<void> {
  if (!userId) return
  const by = { byId: null, byName: 'Recado', createdAt: scope.now() }
  const [notice] = await scope.db
    .insertInto('notices')
    .values({ companyId: scope.companyId, userId, ticketId, kind: 'assigned', noteId: null, ...by })
    .returning('id')
    .execute()
  if (notice) await publishNotices(scope, [notice.id])
}

/** Notifies users whom a note mentions. */
export const notifyMentioned = (
  scope: Scope,
  note: { id: number; ticketId: number },
  userIds: number[],
  author: NoticeAuthor,
): Promise<void> => notifyUsers(scope, userIds, { kind: 'mention', ticketId: note.ticketId, noteId: note.id }, author)

/** The customer wrote, so a schedule waits for its author's decision. Only users who see the chat are notified. */
export async function notifyScheduleHeld(scope: Scope, all: { userId: number; ticketId: number }[]): Promise<void> {
  if (!all.length) return
  const { companyId } = scope
  const tickets = await presentTickets(scope, [...new Set(all.map(({ ticketId }) => ticketId))])
  const viewers = await loadActiveViewers(scope, [...new Set(all.map(({ userId }) => userId))])
  const values = all.flatMap(({ userId, ticketId }) => {
    const [ticket, viewer] = [tickets.find(({ id }) => id === ticketId), viewers.find(({ id }) => id === userId)]
    if (!ticket || !viewer || !canSeeTicket(viewer, ticket)) return []
    const by = { byId: null, byName: ticket.contact.name, createdAt: scope.now() }
    return [{ companyId, userId, ticketId, kind: 'held' as const, noteId: null, ...by }]
  })
  if (!values.length) return
  const inserted = await scope.db.insertInto('notices').values(values).returning('id').execute()
  await publishNotices(
    scope,
    inserted.map(({ id }) => id),
  )
}

/**
 * Notifies the author of a message that was not sent when the conversation is closed, because no agent would notice it;
 * or the last agent if the author was deleted. Automatic messages and messages of API keys have no author to notify:
 * integrations get an event. There is one notification per ticket, whatever the number of messages.
 */
export async function notifyUnsent(scope: Scope, messageIds: number[]): Promise<void> {
  if (!messageIds.length) return
  const { companyId } = scope
  const { rows } = await sql<{ ticketId: number; userId: number; name: string }>`
    select distinct t.id as "ticketId", u.id as "userId", c.name from messages m
    join tickets t on t."companyId" = m."companyId" and t.id = m."ticketId" and t.status = 'closed'
    join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
    join users u on u."companyId" = m."companyId" and u.active and u.id = (
      select w.id from users w where w."companyId" = m."companyId" and w.active and w.id in (m."userId", t."userId")
      order by w.id = m."userId" desc limit 1)
    where m."companyId" = ${companyId} and m.id = any(${messageIds}::bigint[]) and m.state = 'failed' and not m."isDeleted"
      and m."userId" is not null and m.bot is null and m."apiKeyId" is null`.execute(scope.db)
  const tickets = await presentTickets(scope, [...new Set(rows.map(({ ticketId }) => ticketId))])
  const viewers = await loadActiveViewers(scope, [...new Set(rows.map(({ userId }) => userId))])
  const values = rows.flatMap(({ ticketId, userId, name }) => {
    const [ticket, viewer] = [tickets.find(({ id }) => id === ticketId), viewers.find(({ id }) => id === userId)]
    if (!ticket || !viewer || !canSeeTicket(viewer, ticket)) return []
    const by = { byId: null, byName: name, createdAt: scope.now() }
    return [{ companyId, userId, ticketId, kind: 'unsent' as const, noteId: null, ...by }]
  })
  if (!values.length) return
  for (const { ticketId, userId } of values) await deleteUnsentNotices(scope, ticketId, userId)
  const inserted = await scope.db.insertInto('notices').values(values).returning('id').execute()
  await publishNotices(
    scope,
    inserted.map(({ id }) => id),
  )
}

/** Removes the notices of an unsent message that is retried or no longer to be sent. */
export async function deleteUnsentNotices(scope: Scope, ticketId: number, userId?: number): Promise<void> {
  const whose = userId === undefined ? sql`` : sql` and "userId" = ${userId}`
  await deleteNotices(scope, sql`"ticketId" = ${ticketId} and kind = 'unsent'${whose}`)
}

/** An integration failed too often in a row on this ticket: notifies supervisors with the integration's name. */
export const notifyIntegrationPaused = (
  scope: Scope,
  { ticketId, name }: { ticketId: number; name: string },
): Promise<void> => notifyAdmins(scope, { kind: 'resting', ticketId, name })

type WebhookTrouble = { kind: 'hook-rests' | 'hook-off' | 'hook-gave-up'; ticketId: number | null; name: string }

/**
 * Notifies supervisors that a webhook fails. Every notification links to a ticket: the ticket of the event, else the
 * newest ticket.
 */
export async function notifyWebhookTrouble(scope: Scope, { kind, ticketId, name }: WebhookTrouble): Promise<void> {
  const all = scope.db.selectFrom('tickets').select('id').where('companyId', '=', scope.companyId)
  const own = ticketId === null ? undefined : await all.where('id', '=', ticketId).executeTakeFirst()
  const ticket = own ?? (await all.orderBy('id', 'desc').limit(1).executeTakeFirst())
  if (ticket) await notifyAdmins(scope, { kind, ticketId: ticket.id, name })
}

/** Notifies admins of Meta's report about a line. A notice belongs to a ticket, so it takes the newest one. */
export async function notifyLineHealth(scope: Scope, whatsappId: number): Promise<void> {
  const line = await scope.db
    .selectFrom('whatsapps')
    .select('name')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', whatsappId)
    .executeTakeFirst()
  const ticket = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (line && ticket) await notifyAdmins(scope, { kind: 'line-health', ticketId: ticket.id, name: line.name })
}

async function notifyAdmins(
  scope: Scope,
  { kind, ticketId, name }: { kind: Notice['kind']; ticketId: number; name: string },
) {
  const { companyId } = scope
  const admins = await scope.db
    .selectFrom('users')
    .select('id')
    .where('companyId', '=', companyId)
    .where('profile', '=', 'admin')
    .where('active', '=', true)
    .limit(200)
    .execute()
  const what = { companyId, ticketId, kind, noteId: null, byId: null, byName: name }
  const values = admins.map(({ id }) => ({ ...what, userId: id, createdAt: scope.now() }))
  if (!values.length) return
  const inserted = await scope.db.insertInto('notices').values(values).returning('id').execute()
  await publishNotices(
    scope,
    inserted.map(({ id }) => id),
  )
}

/** The SLA of a ticket is nearly breached: notifies its agent or, if it has none, users who could accept it. */
export async function notifyGoalDue(scope: Scope, { id, userId, queueId }: Pick<Ticket, 'id' | 'userId' | 'queueId'>) {
  const { companyId } = scope
  const people = userId !== null ? [userId] : queueId === null ? [] : await findUsersOfQueue(scope, queueId)
  if (!people.length) return
  await deleteGoalNotices(scope, id)
  const what = { companyId, ticketId: id, kind: 'goal' as const, noteId: null, byId: null, byName: '' }
  const inserted = await scope.db
    .insertInto('notices')
    .values(people.map((one) => ({ ...what, userId: one, createdAt: scope.now() })))
    .returning('id')
    .execute()
  await publishNotices(
    scope,
    inserted.map((one) => one.id),
  )
}

/** A snoozed ticket came back at its time: notifies its agent, else the user who snoozed it, with the note as its name. */
export async function notifySnoozeEnded(
  scope: Scope,
  { ticketId, userId, note }: { ticketId: number; userId: number | null; note: string },
): Promise<void> {
  if (userId === null) return
  await deleteNotices(scope, sql`"ticketId" = ${ticketId} and kind = 'snooze'`)
  const what = { companyId: scope.companyId, ticketId, kind: 'snooze' as const, noteId: null, byId: null, byName: note }
  const { id } = await scope.db
    .insertInto('notices')
    .values({ ...what, userId, createdAt: scope.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await publishNotices(scope, [id])
}

/** Removes the SLA warning. */
export async function deleteGoalNotices(scope: Scope, ticketId: number): Promise<void> {
  await deleteNotices(scope, sql`"ticketId" = ${ticketId} and kind = 'goal'`)
}

async function loadActiveViewers(scope: Scope, ids: number[]): Promise<Viewer[]> {
  const { rows } = await sql<Viewer>`
    select u.id, u."companyId", u.profile, u."allTicket" = 'enabled' as "allTicket",
      (select coalesce(json_agg(q."queueId"), '[]') from "userQueues" q where q."companyId" = u."companyId" and q."userId" = u.id) as "queueIds"
    from users u where u."companyId" = ${scope.companyId} and u.id = any(${ids}::int[]) and u.active`.execute(scope.db)
  return rows
}

/** A user assigned the ticket to another agent or a queue, perhaps with a note. */
export async function notifyAssigned(
  scope: Scope,
  before: Ticket | null,
  after: Ticket,
  noteId?: number,
): Promise<void> {
  if (!scope.person) return
  const what = { ticketId: after.id, noteId: noteId ?? null }
  if (after.userId && after.userId !== before?.userId)
    return notifyUsers(scope, [after.userId], { kind: 'assigned', ...what })
  if (after.userId || !before || !after.queueId || after.queueId === before.queueId) return
  await notifyUsers(scope, await findUsersOfQueue(scope, after.queueId), { kind: 'queued', ...what })
}

async function findUsersOfQueue(scope: Scope, queueId: number): Promise<number[]> {
  const rows = await scope.db
    .selectFrom('userQueues as q')
    .innerJoin('users as u', (join) => join.onRef('u.companyId', '=', 'q.companyId').onRef('u.id', '=', 'q.userId'))
    .select('u.id')
    .where('q.companyId', '=', scope.companyId)
    .where('q.queueId', '=', queueId)
    .where('u.active', '=', true)
    .limit(200)
    .execute()
  return rows.map((row) => row.id)
}

/** Removes assignment notices that no longer apply. */
export async function deleteAssignmentNotices(scope: Scope, before: Ticket, after: Ticket): Promise<void> {
  const holder = after.status === 'open' ? after.userId : null
  const taken = after.status !== 'pending' || after.queueId !== before.queueId
  await scope.load(deleteAssignmentNoticesInBatch, { ticketId: after.id, holder, taken })
}
type AssignmentChange = { ticketId: number; holder: number | null; taken: boolean }
async function deleteAssignmentNoticesInBatch(scope: Scope, all: AssignmentChange[]): Promise<undefined[]> {
  const given = sql`json_to_recordset(${JSON.stringify(all)}) g ("ticketId" int, holder int, taken boolean)`
  await deleteNotices(
    scope,
    sql`id in (
      select n.id from ${given} join notices n on n."companyId" = ${scope.companyId} and n."ticketId" = g."ticketId"
      where (n.kind = 'assigned' and n."userId" is distinct from g.holder) or (n.kind = 'queued' and g.taken))`,
  )
  return all.map(() => undefined)
}

async function deleteNotices(scope: Scope, where: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ id: number; userId: number }>`
    delete from notices where "companyId" = ${scope.companyId} and ${where} returning id, "userId"`.execute(scope.db)
  for (const userId of new Set(rows.map((row) => row.userId))) {
    const noticeIds = rows.filter((row) => row.userId === userId).map((row) => row.id)
    scope.live(topics.notice, { action: 'delete', noticeIds }, { rooms: [`user-${userId}`] })
  }
  return rows.map((row) => row.id)
}

export const noticeRoutes = [
  route(noticesApi.list, async (scope) => {
    const viewer = currentViewer(scope)
    if (!viewer) return { notices: [] }
    const isReadable = sql`(${canSeeTicketSql(viewer)} or (n.kind = 'mention' and ${isMentionedSql(viewer.id)}))`
    return { notices: await findNotices(scope, sql`n."userId" = ${viewer.id} and ${isReadable}`) }
  }),
  route(noticesApi.read, async (scope, { body: { ticketId } }) => {
    if (ticketId) await findReadableTicket(scope, ticketId)
    const about = ticketId ? sql` and "ticketId" = ${ticketId}` : sql``
    return { noticeIds: await deleteNotices(scope, sql`"userId" = ${scope.actor.id}${about}`) }
  }),
]
