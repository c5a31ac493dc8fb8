import { ticketPriorities } from '@recado/contract/ticket-statuses'
import type { ReadableTicket, Ticket, TicketDetail } from '@recado/contract/tickets'
import { type RawBuilder, sql } from 'kysely'
import { isoTimestampSql } from '../../../directory/webhooks/webhook-events.ts'
import { hideIdFromPlanner, keepPrepared } from '../../../kernel/data/keep-prepared.ts'
import { type JsonRows, jsonOrBranch, makeShapedRows, timestampLeaf } from '../../../kernel/data/row-shape.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import { AppError } from '../../../kernel/errors.ts'
import { pictureUrl } from '../../../kernel/files/media.ts'
import { hasReplyWindowSql, replyWindowEndSql } from '../../reply-window.ts'
import { canSeeTicket, currentViewer, isMentionedIn, type Viewer } from './visibility.ts'

/** The name of a ticket's priority, which is stored as its position. */
export const ticketPrioritySql = (ticket: string) =>
  `(array[${ticketPriorities.map((name) => `'${name}'`)}])[${ticket}.priority + 1]`

/** A ticket with everything its list row shows except its newest message. `t` is the ticket. */
export const ticketShape = {
  ...{ id: 't.id', number: 't.number', code: 't.number::text', uuid: 't.uuid', status: 't.status' },
  priority: ticketPrioritySql('t'),
  lastMessage: 't."lastMessage"',
  ...{ unreadMessages: 't."unreadMessages"', isGroup: 't."isGroup"', chatbot: 't.chatbot', companyId: 't."companyId"' },
  ...{ userId: 't."userId"', contactId: 't."contactId"', queueId: 't."queueId"', whatsappId: 't."whatsappId"' },
  ...{ useIntegration: 't."useIntegration"', promptId: 't."promptId"', integrationId: 't."integrationId"' },
  createdAt: timestampLeaf('t."createdAt"'),
  updatedAt: timestampLeaf('t."updatedAt"'),
  waitingSince: timestampLeaf('t."waitingSince"'),
  snooze: {
    since: timestampLeaf('t."snoozedAt"'),
    until: timestampLeaf('t."snoozedUntil"'),
    wakesOnMessage: 't."snoozeWakesOnMessage"',
    note: 't."snoozeNote"',
  },
  closingReason: {
    id: `case when t.status = 'closed' then t."closingReasonId" end`,
    name: `(select r.name from "closingReasons" r where r."companyId" = t."companyId" and r.id = t."closingReasonId")`,
  },
  returned: { at: timestampLeaf('t."returnedAt"'), note: 't."snoozeNote"' },
  windowEndsAt: timestampLeaf(`case when ${hasReplyWindowSql('w')} then ${replyWindowEndSql('t')} end`),
  contact: {
    ...{ id: 'c.id', name: 'c.name', number: 'c.number', email: 'c.email', profilePicUrl: 'c."profilePicUrl"' },
    ownerId: 'c."ownerId"',
  },
  user: { id: 'u.id', name: 'u.name' },
  queue: { id: 'q.id', name: 'q.name', color: 'q.color' },
  whatsapp: { id: 'w.id', name: 'w.name' },
  tags: `coalesce((
    select json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color, 'kanban', g.kanban) order by g.id)
    from "ticketTags" x join tags g on g."companyId" = x."companyId" and g.id = x."tagId"
    where x."companyId" = t."companyId" and x."ticketId" = t.id
  ), '[]')`,
  laneId: 't."laneId"',
  adId: 't."adId"',
  goals: `coalesce((
    select json_agg(json_build_object('kind', g.kind, 'warnAt', ${isoTimestampSql('g."warnAt"')}, 'dueAt', ${isoTimestampSql('g."dueAt"')}) order by g."dueAt", g.id)
    from "ticketGoals" g where g."companyId" = t."companyId" and g."ticketId" = t.id and g."queueId" = t."queueId" and g."endedAt" is null
  ), '[]')`,
}

/** The joins for the ticket's agent, queue and other relations besides the contact. */
export const ticketRelationJoins = `
  left join users u on u."companyId" = t."companyId" and u.id = t."userId"
  left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"
  left join whatsapps w on w."companyId" = t."companyId" and w.id = t."whatsappId"`

/** The newest message of the ticket, found by an index. */
const newestMessageJoin = `
  left join lateral (
    select l.id::text as id, l.xmin, l."fromMe", l.ack, l."mediaType", l.bot from messages l
    where l."companyId" = t."companyId" and l."ticketId" = t.id order by l.id desc limit 1
  ) l on true`
/** The customer's last message before automatic ones; searched only among the last few messages. */
const lastCustomerMessageJoin = `
  left join lateral (
    select left(e.body, 255) as body, e."mediaType" from messages e
    where l.bot is not null and e."companyId" = t."companyId" and e."ticketId" = t.id and not e."fromMe" and not e."isDeleted"
    order by e.id desc limit 1
  ) e on true`
/**
 * Finds the newest message in the rare cases in which it is not the last by id: messages imported from the phone later
 * are older than their id suggests, and after a merge it may be in the ticket that the merge closed (see
 * contact-hooks.ts).
 */
const lastMessageJsonSql = `json_build_object('id', m.id::text, 'fromMe', m."fromMe", 'ack', m.ack, 'mediaType', m."mediaType")
    from messages m where m."companyId" = t."companyId"`
const otherLastMessageSql = `case
    when t.past then (select ${lastMessageJsonSql} and m."ticketId" = t.id order by m."createdAt" desc, m.id desc limit 1)
    when t."lastElsewhere" is not null then (select ${lastMessageJsonSql} and m.id = greatest(t."lastElsewhere", l.id::bigint))
  end`
/** The list row, with its newest message (`l`). */
export const ticketRowShape = {
  ...ticketShape,
  last: jsonOrBranch(otherLastMessageSql, {
    id: 'l.id',
    fromMe: 'l."fromMe"',
    ack: 'l.ack',
    mediaType: 'l."mediaType"',
  }),
  heard: { body: 'e.body', mediaType: 'e."mediaType"' },
}
/** The shape for single reads and events: with the contact's extra fields, which the drawer shows. */
const ticketDetailShaped = makeShapedRows<TicketDetail>({
  ...ticketRowShape,
  contact: {
    ...ticketShape.contact,
    extraInfo: `coalesce((
    select json_agg(json_build_object('id', f.id, 'name', f.name, 'value', f.value) order by f.id)
    from "contactFields" f where f."companyId" = c."companyId" and f."contactId" = c.id
  ), '[]')`,
  },
})
export const ticketJoins = sql.raw(
  `join contacts c on c."companyId" = t."companyId" and c.id = t."contactId" ${ticketRelationJoins} ${newestMessageJoin} ${lastCustomerMessageJoin}`,
)
/** Replaces picture paths with full URLs. */
export function withPictureUrls<T extends { contact: Pick<Ticket['contact'], 'profilePicUrl'> }>(
  scope: Scope,
  all: T[],
): T[] {
  for (const { contact } of all) contact.profilePicUrl = pictureUrl(scope, contact.profilePicUrl)
  return all
}

/** Tickets in the order of the ids. */
export async function presentTickets(scope: Scope, ids: number[]): Promise<TicketDetail[]> {
  return ids.length ? scope.load(presentTicketsInBatch, ids) : []
}

async function presentTicketsInBatch(scope: Scope, all: number[][]): Promise<TicketDetail[][]> {
  const ids = [...new Set(all.flat())]
  const wanted = sql`
    select ${ticketDetailShaped.cells} from unnest(${ids}::int[]) with ordinality as wanted(id, place)
    join tickets t on t."companyId" = ${hideIdFromPlanner(scope.companyId)} and t.id = wanted.id ${ticketJoins} order by wanted.place`
  const { rows } = await sql<{
    page: JsonRows
  }>`${keepPrepared}select ${ticketDetailShaped.aggregate(wanted)} as page`.execute(scope.db)
  const found = new Map(
    withPictureUrls(scope, ticketDetailShaped.read(rows[0]?.page)).map((ticket) => [ticket.id, ticket]),
  )
  return all.map((some) => some.flatMap((id) => found.get(id) ?? []))
}

export async function presentTicket(scope: Scope, id: number): Promise<TicketDetail> {
  const [ticket] = await presentTickets(scope, [id])
  if (!ticket) throw new AppError('ERR_NO_TICKET_FOUND')
  return ticket
}

/** One ticket as a JSON value that can be selected beside other columns; `readVisibleTicket` parses it. */
export const ticketSql = (scope: Scope, where: RawBuilder<unknown>) =>
  ticketDetailShaped.aggregate(
    sql`select ${ticketDetailShaped.cells} from tickets t ${ticketJoins} where t."companyId" = ${hideIdFromPlanner(scope.companyId)} and ${where}`,
  )

/** The ticket if the user may see it; otherwise "not found". */
export function readVisibleTicket(scope: Scope, value: JsonRows | undefined, viewer?: Viewer): TicketDetail {
  const [ticket] = withPictureUrls(scope, ticketDetailShaped.read(value))
  const who = viewer ?? currentViewer(scope)
  if (!ticket || !who || !canSeeTicket(who, ticket)) throw new AppError('ERR_NO_TICKET_FOUND')
  return ticket
}
export async function findVisibleTicketWhere(
  scope: Scope,
  where: RawBuilder<unknown>,
  viewer?: Viewer,
): Promise<TicketDetail> {
  const { rows } = await sql<{ ticket: JsonRows }>`${keepPrepared}select ${ticketSql(scope, where)} as ticket`.execute(
    scope.db,
  )
  return readVisibleTicket(scope, rows[0]?.ticket, viewer)
}
/** For reading alone: the ticket if the user may see it, or if a note mentions them in it; otherwise "not found". */
export async function readReadableTicket(scope: Scope, value: JsonRows | undefined): Promise<ReadableTicket> {
  const [ticket] = withPictureUrls(scope, ticketDetailShaped.read(value))
  const viewer = currentViewer(scope)
  if (!ticket || !viewer) throw new AppError('ERR_NO_TICKET_FOUND')
  if (canSeeTicket(viewer, ticket)) return ticket
  if (!(await isMentionedIn(scope, viewer.id, ticket.id))) throw new AppError('ERR_NO_TICKET_FOUND')
  return { ...ticket, byMention: true }
}
export async function findReadableTicketWhere(scope: Scope, where: RawBuilder<unknown>): Promise<ReadableTicket> {
  const { rows } = await sql<{ ticket: JsonRows }>`${keepPrepared}select ${ticketSql(scope, where)} as ticket`.execute(
    scope.db,
  )
  return readReadableTicket(scope, rows[0]?.ticket)
}
export const findReadableTicket = (scope: Scope, id: number) => findReadableTicketWhere(scope, sql`t.id = ${id}`)
export const findVisibleTicket = (scope: Scope, id: number) => findVisibleTicketWhere(scope, sql`t.id = ${id}`)

/** Locks the ticket until the transaction ends. */
export async function lockTicket(scope: Scope, id: number | null): Promise<void> {
  // A message without a ticket needs no lock.
  if (id === null) return
  await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
}
