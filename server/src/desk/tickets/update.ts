import type { TicketDetail, ticketsApi } from '@recado/contract/tickets'
import type { z } from 'zod'
import { prompts } from '../../directory/ai/prompts.ts'
import { integrations } from '../../directory/integrations/integrations.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { sendFarewell } from '../farewell.ts'
import { sendAcceptedGreeting, sendTransferNotice } from '../greetings.ts'
import { addNote } from '../notes.ts'
import { notifyAssigned } from './base/notices.ts'
import { publishTicketChanged } from './base/publish-ticket.ts'
import { lockTicket, presentTicket } from './base/ticket-view.ts'
import { canSeeTicket, loadViewer } from './base/visibility.ts'
import { checkClosing } from './closing/check-closing.ts'
import {
  acceptTicket,
  canAssign,
  reopenTicket,
  resolveTicket,
  returnTicket,
  ticketHeldError,
  transferTicket,
} from './lifecycle.ts'

type TicketWrite = z.output<typeof ticketsApi.update.body>

/**
 * The locked ticket, for a user who may see it. A user who was too late to accept a ticket of their queue gets the name of
 * its agent in the error.
 */
export async function lockTicketForUpdate(scope: Scope, id: number, w: TicketWrite): Promise<TicketDetail> {
  await lockTicket(scope, id)
  const ticket = await presentTicket(scope, id)
  const viewer = await loadViewer(scope)
  if (viewer && canSeeTicket(viewer, ticket)) return ticket
  const waited = { ...ticket, status: 'pending' as const, userId: null }
  if (viewer && w.status === 'open' && ticket.status === 'open' && canSeeTicket(viewer, waited))
    throw ticketHeldError(scope, ticket)
  throw new AppError('ERR_NO_TICKET_FOUND')
}

/** `isQuiet`: the customer gets no message about the change. */
type UpdateOptions = { isQuiet?: boolean }

/** Derives the transition from the request and the current state. */
export async function applyTicketUpdate(
  scope: Scope,
  ticket: TicketDetail,
  w: TicketWrite,
  options: UpdateOptions = {},
): Promise<TicketDetail> {
  if (w.status === 'closed') return closeTicket(scope, await placeInQueue(scope, ticket, w), w)
  if (w.status === 'open' && ticket.status === 'closed') return takeClosedTicket(scope, ticket, w)
  if (w.status === 'open' && ticket.status === 'pending')
    return takeTicket(scope, await placeInQueue(scope, ticket, w), w, options)
  // Of two parallel accepts one succeeds. Taking an open ticket from another agent is a transfer.
  if (w.status === 'open' && ticket.userId !== (w.userId ?? scope.actor.id)) throw ticketHeldError(scope, ticket)
  return moveTicket(scope, ticket, w, options)
}

/** Older clients name the queue of a ticket while they accept or close it; an agent who has the ticket keeps it. */
async function placeInQueue(scope: Scope, ticket: TicketDetail, { queueId }: TicketWrite): Promise<TicketDetail> {
  if (!queueId || queueId === ticket.queueId || ticket.status === 'closed') return ticket
  return transferTicket(scope, ticket, { queueId, ...(ticket.userId !== null && { userId: ticket.userId }) })
}

async function closeTicket(scope: Scope, ticket: TicketDetail, w: TicketWrite): Promise<TicketDetail> {
  if (ticket.status === 'closed') return ticket
  const closed = await resolveTicket(scope, ticket, 'by-person', await checkClosing(scope, ticket.queueId, w))
  if (w.justClose) return closed
  await sendFarewell(scope, ticket, closed)
  return presentTicket(scope, closed.id)
}

async function takeTicket(
  scope: Scope,
  ticket: TicketDetail,
  w: TicketWrite,
  { isQuiet }: UpdateOptions,
): Promise<TicketDetail> {
  if (!canAssign(scope, w.userId)) throw new AppError('ERR_NO_PERMISSION')
  const taken = await acceptTicket(scope, ticket, w.userId ?? undefined)
  await notifyAssigned(scope, ticket, taken)
  if (!isQuiet) await sendAcceptedGreeting(scope, taken)
  return taken
}

async function takeClosedTicket(scope: Scope, ticket: TicketDetail, w: TicketWrite): Promise<TicketDetail> {
  if (!canAssign(scope, w.userId)) throw new AppError('ERR_NO_PERMISSION')
  const reopened = await reopenTicket(scope, ticket, { queueId: w.queueId, userId: w.userId ?? undefined })
  await notifyAssigned(scope, ticket, reopened)
  return reopened
}

async function moveTicket(
  scope: Scope,
  ticket: TicketDetail,
  w: TicketWrite,
  { isQuiet }: UpdateOptions,
): Promise<TicketDetail> {
  const toQueue = w.queueId !== undefined && w.queueId !== ticket.queueId
  const toUser = w.userId !== undefined && w.userId !== ticket.userId
  const toLine = Boolean(w.whatsappId && w.whatsappId !== ticket.whatsappId)
  if (!toQueue && !toUser && !toLine && w.status !== 'pending') return ticket
  if (ticket.status === 'closed') throw new AppError('ERR_TICKET_NOT_OPEN')
  // The assigned agent may transfer the ticket, and anybody may send it to another queue and an agent in it.
  // Within the same queue, a transfer assigns work to a colleague: this needs the same permission as accepting
  // in their name.
  const gives = toUser && !toQueue && ticket.userId !== scope.actor.id
  if (gives && !canAssign(scope, w.userId)) throw new AppError('ERR_NO_PERMISSION')
  const returns = w.status === 'pending' && !toQueue && !toLine
  const target = w.status === 'pending' ? { ...w, userId: null } : w
  const moved = returns ? await returnTicket(scope, ticket) : await transferTicket(scope, ticket, target)
  const note = w.note ? await addNote(scope, moved, w.note, w.mentions) : null
  await notifyAssigned(scope, ticket, moved, note?.id)
  if (!returns && !isQuiet) await sendTransferNotice(scope, ticket, moved)
  return moved
}

/** Older clients send unchanged values back, and false for none: such values are not checked again. */
export async function assertBotsExist(scope: Scope, ticket: TicketDetail, w: TicketWrite): Promise<void> {
  if (w.promptId && w.promptId !== ticket.promptId) await prompts.findRow(scope, w.promptId)
  if (w.integrationId && w.integrationId !== ticket.integrationId) await integrations.findRow(scope, w.integrationId)
}

/** Saves the requested bot settings, unless a transition has cleared them. */
export async function setTicketBots(scope: Scope, ticket: TicketDetail, w: TicketWrite): Promise<TicketDetail> {
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
  publishTicketChanged(scope, ticket, after)
  return after
}
