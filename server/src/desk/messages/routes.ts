import { type Message, messagesApi } from '@recado/contract/messages'
import { can } from '@recado/contract/rules'
import type { Ticket } from '@recado/contract/tickets'
import { findLine } from '../../directory/connections.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http.ts'
import type { Scope } from '../../kernel/scope.ts'
import { cannot } from '../../lines/abilities.ts'
import { holdTicket, ticketById } from '../tickets/view.ts'
import { mustBeInWindow } from '../window.ts'
import { alreadyGreeted, alreadySent, clientIdOf, compose, quotedWid } from './compose.ts'
import { addErrand } from './errands.ts'
import { markRead, thread } from './read.ts'
import { changeMessage, storeOutgoing } from './store.ts'

/** Speaking for the house is for who attends the ticket, and for those who lead. */
export function mayWrite(scope: Scope, ticket: Ticket): void {
  const leads = can(scope.actor, 'tickets-manager:showall') || scope.actor.profile === 'supervisor'
  if (ticket.userId !== scope.actor.id && !leads) throw new AppError('ERR_NO_PERMISSION')
}

export const mustBeOpen = (ticket: Ticket): void => {
  if (ticket.status !== 'open') throw new AppError('ERR_TICKET_NOT_OPEN')
}

/** A message of ours, held; its ticket before it, as everywhere. */
async function ownMessage(scope: Scope, id: string) {
  const known = () =>
    scope.db
      .selectFrom('messages')
      .select(['id', 'ticketId', 'contactId', 'whatsappId', 'wid', 'fromMe', 'state', 'userId', 'isDeleted', 'sendAs'])
      .where('companyId', '=', scope.companyId)
      .where('id', '=', Number(id))
  const seen = await known().executeTakeFirst()
  if (!seen) throw new AppError('ERR_NO_MESSAGE_FOUND')
  await holdTicket(scope, seen.ticketId)
  const ticket = await ticketById(scope, seen.ticketId)
  if (!seen.fromMe) throw new AppError('ERR_NO_PERMISSION')
  return { row: await known().forUpdate().executeTakeFirstOrThrow(), ticket }
}

async function retry(scope: Scope, id: string): Promise<Message> {
  const { row, ticket } = await ownMessage(scope, id)
  if (row.isDeleted) throw new AppError('ERR_NO_MESSAGE_FOUND')
  mustBeOpen(ticket)
  mayWrite(scope, ticket)
  if (row.state !== 'failed') return changeMessage(scope, row.id, { state: row.state })
  if (!row.sendAs?.template) mustBeInWindow(scope, ticket)
  await scope.signal('outbox', row.whatsappId)
  return changeMessage(scope, row.id, { state: 'queued', ack: 1, error: null })
}

async function cannotRevoke(scope: Scope, whatsappId: number): Promise<boolean> {
  const { provider } = await findLine(scope, whatsappId)
  return cannot[provider].includes('revoke')
}

async function remove(scope: Scope, id: string): Promise<Message> {
  const { row, ticket } = await ownMessage(scope, id)
  if (row.userId !== scope.actor.id) mayWrite(scope, ticket)
  // Nobody should believe it gone while the customer reads it.
  if (row.state === 'sent' && (await cannotRevoke(scope, row.whatsappId))) throw new AppError('ERR_DELETE_WAPP_MSG')
  // What has not left yet never leaves; what is leaving is taken back by who sends it.
  const kept = row.state === 'queued' || row.state === 'failed'
  if (row.state === 'sent' && !row.isDeleted)
    await addErrand(scope, row.whatsappId, { kind: 'revoke', contactId: row.contactId, wid: row.wid })
  return changeMessage(scope, row.id, { isDeleted: true, ...(kept && { state: 'failed', error: 'deleted' }) })
}

export const messageRoutes = [
  route(messagesApi.list, async (scope, { params, query }) => {
    const ticket = await ticketById(scope, params.ticketId)
    const page = await thread(scope, ticket, query.pageNumber)
    if (query.markAsRead && query.pageNumber === 1 && ticket.unreadMessages > 0 && ticket.userId === scope.actor.id)
      await scope.transaction((tx) => markRead(tx, ticket))
    return page
  }),

  route(messagesApi.send, async (scope, { params, body }, { uploads }) => {
    await holdTicket(scope, params.ticketId)
    const ticket = await ticketById(scope, params.ticketId)
    // Before anything is asked of the ticket: it was sent, whatever has become of the ticket since.
    const sent = await alreadySent(scope, ticket, body.clientId, uploads.length)
    if (sent[0]) return { ...sent[0], messages: sent }
    mustBeOpen(ticket)
    mayWrite(scope, ticket)
    const older = !uploads.length && !body.clientId
    const greeted = older ? await alreadyGreeted(scope, ticket, body.body[0] ?? '') : null
    if (greeted) return { ...greeted, messages: [greeted] }
    mustBeInWindow(scope, ticket)
    const outgoing = await compose(scope, ticket, body.body, uploads)
    const quoted = await quotedWid(scope, ticket, body.quotedMsg?.id)
    const all = outgoing.map((one, place) => ({
      ...one,
      quotedWid: quoted,
      clientId: clientIdOf(body.clientId, outgoing.length, place),
    }))
    const messages = await storeOutgoing(scope, ticket, all)
    return { ...messages[0], messages }
  }),
  route(messagesApi.retry, (scope, { params }) => retry(scope, params.id)),
  route(messagesApi.remove, (scope, { params }) => remove(scope, params.id)),
]
