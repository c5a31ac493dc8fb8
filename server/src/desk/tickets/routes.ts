import { ticketsApi } from '@recado/contract/tickets'
import { sql } from 'kysely'
import type { Phones } from '../../directory/contacts/phones.ts'
import { dropFiles } from '../../kernel/files/media.ts'
import { type Route, route } from '../../kernel/http/http.ts'
import { create } from './create.ts'
import { happenings } from './happenings.ts'
import { remove } from './lifecycle.ts'
import { board, counts, listTickets } from './list.ts'
import { membersOf } from './members.ts'
import { setTags } from './tags.ts'
import { markUnread } from './unread.ts'
import { apply, heldTicket, mustExist, setBots } from './update.ts'
import { ticketById, visibleTicket } from './view.ts'
import { seenBy } from './visibility.ts'

export const ticketRoutes = (phones: Phones): Route[] => [
  route(ticketsApi.list, (scope, { query }) => listTickets(scope, query)),
  route(ticketsApi.counts, (scope, { query }) => counts(scope, query)),
  route(ticketsApi.show, (scope, { params }) => ticketById(scope, params.id)),
  route(ticketsApi.byUuid, (scope, { params }) => visibleTicket(scope, sql`t.uuid = ${params.uuid}`)),
  route(ticketsApi.create, (scope, { body }) => create(scope, body)),
  route(ticketsApi.update, async (scope, { params, body }) => {
    const ticket = await heldTicket(scope, params.id, body)
    await mustExist(scope, ticket, body)
    return setBots(scope, await apply(scope, ticket, body), body)
  }),
  route(ticketsApi.unread, (scope, { params }) => markUnread(scope, params.id)),
  route(ticketsApi.people, async (scope, { params, query: { queueId } }) => {
    const ticket = await ticketById(scope, params.id)
    const there = queueId ? { ...ticket, queueId, userId: null, status: 'pending' as const } : ticket
    return (await seenBy(scope, there)).filter((one) => one.id !== scope.actor.id)
  }),
  route(ticketsApi.members, (scope, { params }) => membersOf(scope, params.id, phones), { transaction: false }),
  route(ticketsApi.remove, async (scope, { params }) => {
    const ticket = await ticketById(scope, params.id)
    const files = await scope.db
      .selectFrom('messages')
      .select(['mediaPath', sql<string | null>`"sendAs" #>> '{voice,path}'`.as('voicePath')])
      .where('companyId', '=', scope.companyId)
      .where('ticketId', '=', ticket.id)
      .where('mediaPath', 'is not', null)
      .execute()
    await remove(scope, ticket)
    await dropFiles(
      scope,
      files.flatMap((f) => [f.mediaPath, f.voicePath]),
    )
    return { message: 'deleted' }
  }),
  route(ticketsApi.happenings, async (scope, { params, query }) =>
    happenings(scope, (await ticketById(scope, params.id)).id, query),
  ),
  route(ticketsApi.kanban, (scope, { query }) => board(scope, query)),
  route(ticketsApi.addTag, (scope, { params }) =>
    setTags(scope, params.ticketId, params.tagId === 'lane0' ? { add: [] } : { add: [params.tagId] }),
  ),
  route(ticketsApi.dropTags, (scope, { params }) => setTags(scope, params.ticketId, { drop: 'kanban' })),
  route(ticketsApi.syncTags, (scope, { body }) =>
    setTags(scope, body.ticketId, { drop: 'all', add: body.tags.map((t) => t.id) }),
  ),
]
