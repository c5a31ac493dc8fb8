import type { Ticket } from '@recado/contract/tickets'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../kernel/errors.ts'
import { hot, pageEnd } from '../../kernel/hot.ts'
import type { Scope } from '../../kernel/scope.ts'
import { windowText } from '../window.ts'
import { asker, maySee, type Viewer } from './visibility.ts'

/** A ticket with everything its row on the screen shows but its newest message, in one statement. `t` is the ticket. */
export const ticketColumnsText = `
  t.id, t.uuid, t.status, t."lastMessage", t."unreadMessages", t."isGroup", t.chatbot, t."companyId", t."userId",
  t."contactId", t."queueId", t."whatsappId", t."useIntegration", t."promptId", t."integrationId", t."createdAt", t."updatedAt",
  case when w.provider = 'cloud' then ${windowText('t')} end as "windowEndsAt",
  json_build_object('id', c.id, 'name', c.name, 'number', c.number, 'email', c.email, 'profilePicUrl', c."profilePicUrl") as contact,
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as "user",
  case when q.id is not null then json_build_object('id', q.id, 'name', q.name, 'color', q.color) end as queue,
  case when w.id is not null then json_build_object('id', w.id, 'name', w.name) end as whatsapp,
  coalesce((
    select json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color, 'kanban', g.kanban) order by g.id)
    from "ticketTags" x join tags g on g."companyId" = x."companyId" and g.id = x."tagId"
    where x."companyId" = t."companyId" and x."ticketId" = t.id
  ), '[]') as tags`

export const ticketJoinsText = `
  join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
  left join users u on u."companyId" = t."companyId" and u.id = t."userId"
  left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"
  left join whatsapps w on w."companyId" = t."companyId" and w.id = t."whatsappId"`

const lastText = `json_build_object('id', l.id::text, 'fromMe', l."fromMe", 'ack', l.ack, 'mediaType', l."mediaType") from messages l where l."companyId" = t."companyId"`
/** The newest of its own; after two contacts were joined it may stand in the ticket that ended then (see at-desk.ts). */
const ticketColumns = sql.raw(`${ticketColumnsText}, case
    when t.past then (select ${lastText} and l."ticketId" = t.id order by l."createdAt" desc, l.id desc limit 1)
    when t."lastElsewhere" is null then (select ${lastText} and l."ticketId" = t.id order by l.id desc limit 1)
    else (select ${lastText} and l.id = greatest(t."lastElsewhere", (
      select m.id from messages m where m."companyId" = t."companyId" and m."ticketId" = t.id order by m.id desc limit 1)))
  end as last`)
const ticketJoins = sql.raw(ticketJoinsText)

/** Tickets by ids, in the order of the ids. */
export async function presentTickets(scope: Scope, ids: number[]): Promise<Ticket[]> {
  if (!ids.length) return []
  const { rows } = await sql<Ticket>`${hot}
    select ${ticketColumns} from unnest(${ids}::int[]) with ordinality as wanted(id, place)
    join tickets t on t."companyId" = ${scope.companyId} and t.id = wanted.id ${ticketJoins} order by wanted.place`.execute(
    scope.db,
  )
  return rows
}

/** A page of them, each with how many there are in all (counted up to a bound). Looked up after the page is known. */
export async function pageOfTickets(
  scope: Scope,
  o: { filter: RawBuilder<unknown>; order: RawBuilder<unknown>; limit: number; offset: number; most: number },
): Promise<{ tickets: Ticket[]; count: number }> {
  const { rows } = await sql<Ticket & { count: number }>`${o.offset ? sql`` : hot}
    select ${ticketColumns}, (select count(*) from (select 1 from tickets t where ${o.filter} ${pageEnd(o.most)}) x) as count
    from (select t.* from tickets t where ${o.filter} order by ${o.order} ${pageEnd(o.limit, o.offset)}) t ${ticketJoins}
    order by ${o.order}`.execute(scope.db)
  return { tickets: rows, count: rows[0]?.count ?? 0 }
}

export async function presentTicket(scope: Scope, id: number): Promise<Ticket> {
  const [ticket] = await presentTickets(scope, [id])
  if (!ticket) throw new AppError('ERR_NO_TICKET_FOUND')
  return ticket
}

/** The ticket if this person may see it; otherwise it does not exist. */
export async function visibleTicket(scope: Scope, where: RawBuilder<unknown>, viewer?: Viewer): Promise<Ticket> {
  const { rows } =
    await sql<Ticket>`${hot}select ${ticketColumns} from tickets t ${ticketJoins} where t."companyId" = ${scope.companyId} and ${where}`.execute(
      scope.db,
    )
  const [ticket] = rows
  const who = viewer ?? asker(scope)
  if (!ticket || !who || !maySee(who, ticket)) throw new AppError('ERR_NO_TICKET_FOUND')
  return ticket
}
export const ticketById = (scope: Scope, id: number) => visibleTicket(scope, sql`t.id = ${id}`)

/** Nobody else changes it until this transaction ends. */
export async function holdTicket(scope: Scope, id: number): Promise<void> {
  await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
}

/** With the contact's further fields, as the drawer shows them. */
export async function detail(scope: Scope, ticket: Ticket) {
  const extraInfo = await scope.db
    .selectFrom('contactFields')
    .select(['id', 'name', 'value'])
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', ticket.contactId)
    .orderBy('id')
    .execute()
  return { ...ticket, contact: { ...ticket.contact, extraInfo } }
}
