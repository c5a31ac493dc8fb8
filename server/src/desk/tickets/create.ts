import { seesAll } from '@recado/contract/sight'
import type { TicketDetail, ticketsApi } from '@recado/contract/tickets'
import type { z } from 'zod'
import { lineFor } from '../../directory/connections/connections.ts'
import { findContact } from '../../directory/contacts/people.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError, orConflict } from '../../kernel/errors.ts'
import { tellGiven } from '../notices.ts'
import { keepGoals } from './goals.ts'
import { conflicts, heldBy, livingTicket, mayAssign, mustWorkHere } from './lifecycle.ts'
import { nextIn } from './newest.ts'
import { tellChanged } from './tell.ts'
import { tellTicket } from './told.ts'
import { note, step, track } from './track.ts'
import { presentTicket } from './view.ts'

type Wanted = z.output<typeof ticketsApi.create.body>

/** A conversation that we begin. Who has one already with that person on that line is named in the refusal. */
export async function create(scope: Scope, w: Wanted): Promise<TicketDetail> {
  const line = await lineFor(scope, w.whatsappId)
  const contact = await findContact(scope, w.contactId)
  if (!mayAssign(scope, w.userId)) throw new AppError('ERR_NO_PERMISSION')
  mustBeOwnQueue(scope, w.queueId)
  const { companyId } = scope
  const { status, queueId } = w
  const userId = status === 'open' ? (w.userId ?? scope.actor.id) : null
  if (userId) await mustWorkHere(scope, userId)
  const now = await nextIn(scope, { contactId: contact.id, whatsappId: line.id })
  const place = { companyId, contactId: contact.id, whatsappId: line.id, isGroup: contact.isGroup }
  const made = await orConflict(conflicts, () =>
    scope.db
      .insertInto('tickets')
      // A person began it: no bot comes in between.
      .values({ ...place, queueId, userId, status, botLeft: true, createdAt: now, updatedAt: now })
      .onConflict((c) =>
        c.columns(['companyId', 'contactId', 'whatsappId']).where('status', 'in', ['open', 'pending']).doNothing(),
      )
      .returning('id')
      .executeTakeFirst(),
  )
  if (!made) throw refusal(scope, await livingTicket(scope, contact.id, line.id))
  await keepGoals(scope, made.id, null)
  const ticket = await presentTicket(scope, made.id)
  await track(scope, ticket, { queuedAt: now, ...(userId && { startedAt: now, userId }) })
  await note(scope, ticket.id, 'create', step('opened', 'by-person'))
  await tellTicket(scope, 'ticket.opened', ticket.id)
  tellChanged(scope, null, ticket)
  await tellGiven(scope, null, ticket)
  return ticket
}

/** It begins in a queue of who begins it. Who works in all of them may leave it open. */
function mustBeOwnQueue({ actor }: Scope, queueId: number | null): void {
  if (seesAll(actor)) return
  if (queueId === null) throw new AppError('ERR_VALIDATION', { queueId: 'Required' })
  if (!actor.queueIds.includes(queueId)) throw new AppError('ERR_QUEUE_NOT_FOUND')
}

/**
 * The new-ticket dialog of this family opens one's own ticket when it finds it in `error` itself, and reads the queue's
 * name there even where there is no queue. Of somebody else's it shows nothing but a text. Ours reads `holder`.
 */
function refusal(scope: Scope, living: TicketDetail | null): AppError {
  const holder = living && heldBy(scope, living)
  const mine = holder && holder.userId === scope.actor.id
  const named = mine && { error: { ...holder, queue: holder.queue ?? { name: '' } } }
  const more = { code: 'ERR_OTHER_OPEN_TICKET', holder, ...named }
  return new AppError('ERR_OTHER_OPEN_TICKET', undefined, more)
}
