import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { lineFor } from '../../directory/connections.ts'
import { AppError, orConflict } from '../../kernel/errors.ts'
import { route } from '../../kernel/http.ts'
import { dropFiles } from '../../kernel/media.ts'
import type { Scope } from '../../kernel/scope.ts'
import { sayAccepted, sayTransferred } from '../courtesy.ts'
import { happenings } from './happenings.ts'
import {
  accept,
  conflicts,
  giveBack,
  heldBy,
  mayAssign,
  remove,
  reopen,
  resolve,
  type Target,
  transfer,
} from './lifecycle.ts'
import { board, counts, listTickets } from './list.ts'
import { setTags } from './tags.ts'
import { tellChanged } from './tell.ts'
import { note, step, track } from './track.ts'
import { detail, presentTicket, ticketById, visibleTicket } from './view.ts'

type Write = {
  status?: Ticket['status'] | undefined
  useIntegration?: boolean | undefined
  promptId?: number | null | undefined
  integrationId?: number | null | undefined
} & Target

/** Which transition is meant, read from what is asked and what is. */
async function apply(scope: Scope, ticket: Ticket, w: Write): Promise<Ticket> {
  const toQueue = w.queueId !== undefined && w.queueId !== ticket.queueId
  const toLine = Boolean(w.whatsappId && w.whatsappId !== ticket.whatsappId)
  if (w.status === 'closed') return resolve(scope, ticket)
  if (w.status === 'open' && ticket.status === 'closed') return reopen(scope, ticket, w.queueId)
  if (w.status === 'open' && ticket.status === 'pending') {
    if (!mayAssign(scope, w.userId)) throw new AppError('ERR_NO_PERMISSION')
    const mine = await accept(scope, ticket, w.userId ?? undefined)
    await sayAccepted(scope, mine)
    return mine
  }
  if (w.status === 'pending' && !toQueue && !toLine) return giveBack(scope, ticket)
  const toUser = w.userId !== undefined && w.userId !== ticket.userId
  if (w.status === 'open' && toUser && ticket.userId !== null && !mayAssign(scope, null))
    throw new AppError('ERR_OTHER_OPEN_TICKET', undefined, { holder: heldBy(ticket) })
  if (!toQueue && !toUser && !toLine) return ticket
  const moved = await transfer(scope, ticket, w)
  await sayTransferred(scope, ticket, moved)
  return moved
}

/** Saved as asked, where no transition has cleared them. */
async function setBots(scope: Scope, ticket: Ticket, w: Write): Promise<Ticket> {
  const { useIntegration, promptId, integrationId } = w
  const wanted = Object.fromEntries(
    Object.entries({ useIntegration, promptId, integrationId }).filter(([, v]) => v !== undefined),
  )
  const differs = Object.entries(wanted).some(([k, v]) => Reflect.get(ticket, k) !== v)
  if (!differs || ticket.status === 'closed' || ticket.userId !== null) return ticket
  await scope.db
    .updateTable('tickets')
    .set(wanted)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', ticket.id)
    .execute()
  const after = await presentTicket(scope, ticket.id)
  tellChanged(scope, ticket, after)
  return after
}

async function create(
  scope: Scope,
  w: {
    contactId: number
    queueId: number | null
    whatsappId: number | null
    userId: number | null
    status: 'open' | 'pending'
  },
): Promise<Ticket> {
  const line = await lineFor(scope, w.whatsappId)
  const contact = await scope.db
    .selectFrom('contacts')
    .select(['id', 'isGroup'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', w.contactId)
    .executeTakeFirst()
  if (!contact) throw new AppError('ERR_NO_CONTACT_FOUND')
  if (!mayAssign(scope, w.userId)) throw new AppError('ERR_NO_PERMISSION')
  const open = w.status === 'open'
  const userId = open ? (w.userId ?? scope.actor.id) : null
  const now = scope.now()
  const made = await orConflict(conflicts, () =>
    scope.db
      .insertInto('tickets')
      .values({
        companyId: scope.companyId,
        contactId: contact.id,
        whatsappId: line.id,
        queueId: w.queueId,
        userId,
        status: w.status,
        isGroup: contact.isGroup,
        createdAt: now,
        updatedAt: now,
      })
      .onConflict((c) =>
        c.columns(['companyId', 'contactId', 'whatsappId']).where('status', 'in', ['open', 'pending']).doNothing(),
      )
      .returning('id')
      .executeTakeFirst(),
  )
  if (!made) throw await held(scope, contact.id, line.id)
  const ticket = await presentTicket(scope, made.id)
  await track(scope, ticket, { queuedAt: now, ...(open && { startedAt: now, userId }) })
  await note(scope, ticket.id, 'create', step('opened', 'by-person'))
  tellChanged(scope, null, ticket)
  return ticket
}

/** The new-ticket dialog of this family reads the holder out of `error` itself; ours reads `holder`. */
async function held(scope: Scope, contactId: number, whatsappId: number): Promise<AppError> {
  const row = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('whatsappId', '=', whatsappId)
    .where('status', 'in', ['open', 'pending'])
    .executeTakeFirstOrThrow()
  const holder = heldBy(await presentTicket(scope, row.id))
  return new AppError('ERR_OTHER_OPEN_TICKET', undefined, {
    holder,
    code: 'ERR_OTHER_OPEN_TICKET',
    ...(holder.userId && { error: holder }),
  })
}

export const ticketRoutes = [
  route(ticketsApi.list, (scope, { query }) => listTickets(scope, query)),
  route(ticketsApi.counts, (scope, { query }) => counts(scope, query)),
  route(ticketsApi.show, async (scope, { params }) => detail(scope, await ticketById(scope, params.id))),
  route(ticketsApi.byUuid, async (scope, { params }) =>
    detail(scope, await visibleTicket(scope, sql`t.uuid = ${params.uuid}`)),
  ),
  route(ticketsApi.create, async (scope, { body }) => detail(scope, await create(scope, body))),
  route(ticketsApi.update, async (scope, { params, body }) => {
    const ticket = await ticketById(scope, params.id)
    return detail(scope, await setBots(scope, await apply(scope, ticket, body), body))
  }),
  route(ticketsApi.remove, async (scope, { params }) => {
    const ticket = await ticketById(scope, params.id)
    const files = await scope.db
      .selectFrom('messages')
      .select('mediaPath')
      .where('companyId', '=', scope.companyId)
      .where('ticketId', '=', ticket.id)
      .where('mediaPath', 'is not', null)
      .execute()
    await remove(scope, ticket)
    await dropFiles(
      scope,
      files.map((f) => f.mediaPath),
    )
    return { message: 'deleted' }
  }),
  route(ticketsApi.happenings, async (scope, { params, query }) =>
    happenings(scope, (await ticketById(scope, params.id)).id, query.pageNumber),
  ),
  route(ticketsApi.kanban, async (scope, { query }) => {
    const tickets = await board(scope, query)
    return { tickets, count: tickets.length, hasMore: false }
  }),
  route(
    ticketsApi.addTag,
    (scope, { params }) =>
      setTags(scope, params.ticketId, params.tagId === 'lane0' ? { add: [] } : { add: [params.tagId] }),
    { status: 201 },
  ),
  route(ticketsApi.dropTags, (scope, { params }) => setTags(scope, params.ticketId, { drop: 'kanban' })),
  route(ticketsApi.syncTags, (scope, { body }) =>
    setTags(scope, body.ticketId, { drop: 'all', add: body.tags.map((t) => t.id) }),
  ),
]
