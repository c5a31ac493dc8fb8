import type { TicketDetail, TicketSnooze } from '@recado/contract/tickets'
import type { z } from 'zod'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { notifySnoozeEnded } from './base/notices.ts'
import { publishTicketChanged } from './base/publish-ticket.ts'
import { endSnoozeAt } from './base/snooze-columns.ts'
import { lockTicket, presentTicket } from './base/ticket-view.ts'
import { makeStep, recordTicketEvent } from './base/tracking.ts'
import { changeTicket, updateTicketQuietly } from './lifecycle.ts'
import { lockVisibleTicket } from './tags.ts'

type SnoozeWrite = z.output<typeof TicketSnooze>

/** Puts a ticket aside. A ticket that is snoozed already gets the new time. */
export const snoozeTicket = async (scope: Scope, id: number, how: SnoozeWrite): Promise<TicketDetail> =>
  snoozeLockedTicket(scope, await lockVisibleTicket(scope, id), how)

export async function snoozeLockedTicket(
  scope: Scope,
  ticket: TicketDetail,
  { until, wakesOnMessage, note }: SnoozeWrite,
): Promise<TicketDetail> {
  const { id } = ticket
  if (ticket.status === 'closed') throw new AppError('ERR_TICKET_NOT_OPEN')
  if (until === null && !wakesOnMessage) throw new AppError('ERR_VALIDATION', { until: 'Required' })
  if (until !== null && Date.parse(until) <= scope.now().getTime())
    throw new AppError('ERR_VALIDATION', { until: 'In the past' })
  await updateTicketQuietly(scope, id, {
    snoozedAt: scope.now(),
    snoozedUntil: until,
    snoozeWakesOnMessage: wakesOnMessage,
    snoozeNote: note,
    snoozedById: scope.person?.id ?? null,
    returnedAt: null,
  })
  const why = scope.person ? 'by-person' : 'by-machine'
  await recordTicketEvent(scope, id, 'snooze', makeStep('snoozed', why, { until, wakesOnMessage, note }))
  return publishSnooze(scope, ticket)
}

/** Ends the snooze by hand, without a mark or a notice. */
export async function unsnoozeTicket(scope: Scope, id: number): Promise<TicketDetail> {
  const ticket = await lockVisibleTicket(scope, id)
  if (!ticket.snooze) return ticket
  await updateTicketQuietly(scope, id, endSnoozeAt(scope.now()))
  await recordTicketEvent(scope, id, 'snooze', makeStep('returned-to-inbox', 'by-person'))
  return publishSnooze(scope, ticket)
}

async function publishSnooze(scope: Scope, before: TicketDetail): Promise<TicketDetail> {
  const after = await presentTicket(scope, before.id)
  publishTicketChanged(scope, before, after)
  return after
}

/** The locked ticket if its snooze is over; null if it ended or was changed meanwhile. */
export async function lockDueSnooze(scope: Scope, id: number) {
  await lockTicket(scope, id)
  const row = await scope.db
    .selectFrom('tickets')
    .select(['id', 'userId', 'snoozedById', 'snoozeNote'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('snoozedUntil', '<=', scope.now().toISOString())
    .executeTakeFirst()
  return row ?? null
}
type DueSnooze = NonNullable<Awaited<ReturnType<typeof lockDueSnooze>>>

/** Brings a ticket back at its time: at the top of its list, with a mark and a notice. */
export async function endDueSnooze(scope: Scope, { id, userId, snoozedById, snoozeNote }: DueSnooze): Promise<void> {
  const before = await presentTicket(scope, id)
  await changeTicket(scope, before, { ...endSnoozeAt(scope.now()), snoozeNote, returnedAt: scope.now() })
  await recordTicketEvent(scope, id, 'snooze', makeStep('returned-to-inbox', 'time-came'))
  await notifySnoozeEnded(scope, { ticketId: id, userId: userId ?? snoozedById, note: snoozeNote })
}
