import { ticketsApi } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { findLine } from '../../directory/connections/find-line.ts'
import type { PhoneQueries } from '../../directory/contacts/phone-queries.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'
import { type Route, route } from '../../kernel/http/routes.ts'
import { findReachOutHold } from '../reach-out-hold.ts'
import { findReadableTicket, findReadableTicketWhere, findVisibleTicket } from './base/ticket-view.ts'
import { listMentionableUsers } from './base/visibility.ts'
import { listClosings } from './closing/closing.ts'
import { createTicket } from './create.ts'
import { listGroupMembers } from './group-members.ts'
import { removeTicket } from './lifecycle.ts'
import { countTickets, listKanban, listTickets } from './list.ts'
import { listPinnedTickets, pinTicket, unpinTicket } from './pins.ts'
import { setPriority } from './priority.ts'
import { snoozeTicket, unsnoozeTicket } from './snooze.ts'
import { listSnoozeTimes } from './snooze-times.ts'
import { setTags } from './tags.ts'
import { listTicketEvents } from './ticket-events.ts'
import { runUndoable, undoLastAction } from './undo.ts'
import { markTicketUnread } from './unread.ts'
import { applyTicketUpdate, assertBotsExist, lockTicketForUpdate, setTicketBots } from './update.ts'
import { countWaitingWithoutQueue } from './waiting-without-queue.ts'

export const ticketRoutes = (phones: PhoneQueries): Route[] => [
  route(ticketsApi.list, (scope, { query }) => listTickets(scope, query)),
  route(ticketsApi.withoutQueue, (scope) => countWaitingWithoutQueue(scope)),
  route(ticketsApi.counts, (scope, { query }) => countTickets(scope, query)),
  route(ticketsApi.show, (scope, { params }) => findReadableTicket(scope, params.id)),
  route(ticketsApi.byUuid, (scope, { params }) => findReadableTicketWhere(scope, sql`t.uuid = ${params.uuid}`)),
  route(ticketsApi.create, (scope, { body }) => createTicket(scope, body)),
  route(ticketsApi.update, async (scope, { params, body }) => {
    const ticket = await lockTicketForUpdate(scope, params.id, body)
    await assertBotsExist(scope, ticket, body)
    // First, because only the last event of a ticket can be undone.
    const prioritized = await setPriority(scope, ticket, body)
    const after = await runUndoable(scope, prioritized, () => applyTicketUpdate(scope, prioritized, body))
    return setTicketBots(scope, after, body)
  }),
  route(ticketsApi.closings, async (scope, { params }) => ({
    closings: await listClosings(scope, (await findReadableTicket(scope, params.id)).id),
  })),
  route(ticketsApi.undo, (scope, { params }) => undoLastAction(scope, params.id)),
  route(ticketsApi.unread, (scope, { params }) => markTicketUnread(scope, params.id)),
  route(ticketsApi.pins, (scope) => listPinnedTickets(scope)),
  route(ticketsApi.pin, (scope, { params }) => pinTicket(scope, params.id)),
  route(ticketsApi.unpin, (scope, { params }) => unpinTicket(scope, params.id)),
  route(ticketsApi.snooze, (scope, { params, body }) => snoozeTicket(scope, params.id, body)),
  route(ticketsApi.snoozeTimes, (scope, { params }) => listSnoozeTimes(scope, params.id)),
  route(ticketsApi.unsnooze, (scope, { params }) => unsnoozeTicket(scope, params.id)),
  route(ticketsApi.people, async (scope, { params, query: { queueId } }) => {
    const ticket = await findVisibleTicket(scope, params.id)
    const there = queueId ? { ...ticket, queueId, userId: null, status: 'pending' as const } : ticket
    return (await listMentionableUsers(scope, there)).filter((one) => one.id !== scope.actor.id)
  }),
  route(ticketsApi.members, (scope, { params }) => listGroupMembers(scope, params.id, phones), { transaction: false }),
  route(ticketsApi.hold, async (scope, { params }) => {
    const { whatsappId, contactId } = await findVisibleTicket(scope, params.id)
    if (whatsappId === null) return { until: null }
    return { until: await findReachOutHold(scope, await findLine(scope, whatsappId), contactId) }
  }),
  route(ticketsApi.remove, async (scope, { params }) => {
    const ticket = await findVisibleTicket(scope, params.id)
    const files = await scope.db
      .selectFrom('messages')
      .select(['mediaPath', sql<string | null>`"sendAs" #>> '{voice,path}'`.as('voicePath')])
      .where('companyId', '=', scope.companyId)
      .where('ticketId', '=', ticket.id)
      .where('mediaPath', 'is not', null)
      .execute()
    await removeTicket(scope, ticket)
    await scheduleFileRemoval(
      scope,
      files.flatMap((f) => [f.mediaPath, f.voicePath]),
    )
    return { message: 'deleted' }
  }),
  route(ticketsApi.happenings, async (scope, { params, query }) =>
    listTicketEvents(scope, (await findReadableTicket(scope, params.id)).id, query),
  ),
  route(ticketsApi.kanban, (scope, { query }) => listKanban(scope, query)),
  route(ticketsApi.addTag, (scope, { params }) =>
    setTags(scope, params.ticketId, params.tagId === 'lane0' ? { add: [] } : { add: [params.tagId] }),
  ),
  route(ticketsApi.dropTags, (scope, { params }) => setTags(scope, params.ticketId, { remove: 'kanban' })),
  route(ticketsApi.syncTags, (scope, { body }) =>
    setTags(scope, body.ticketId, { remove: 'all', add: body.tags.map((t) => t.id) }),
  ),
]
