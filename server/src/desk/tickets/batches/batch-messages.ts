import type { UnsentReason } from '@recado/contract/tickets/ticket-batches'
import { sql } from 'kysely'
import { addMs, hours } from '../../../kernel/clock.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import { findBotMessageObstacle } from '../../bot-message.ts'
import { sendFarewell } from '../../farewell.ts'
import { holdMessages } from '../../messages/outgoing.ts'
import type { StoredBatchAction, TicketChangeUndo } from '../../tables.ts'
import { lockVisibleTicket } from '../tags.ts'
import { closeQuietly, recordUndoable } from '../ticket-changes.ts'

/** Messages of a batch are held until the batch is over: then their time is known. */
export const batchHoldMs = hours(1)

type Resolve = Extract<StoredBatchAction, { kind: 'resolve' }>

/** Whether the batch may send messages: then they are held while it can be undone. */
export const sendsMessages = (action: StoredBatchAction): action is Resolve =>
  action.kind === 'resolve' && (action.farewell === true || action.rating === true)

/** Closes one ticket with the farewell or the rating request, or says why its customer gets none. */
export async function resolveWithMessage(
  scope: Scope,
  action: Resolve,
  ticketId: number,
): Promise<{ undo: TicketChangeUndo | null; unsent: UnsentReason | null }> {
  const { farewell = false, rating = false } = action
  const ticket = await lockVisibleTicket(scope, ticketId)
  const wasClosed = ticket.status === 'closed'
  let unsent: UnsentReason | null = wasClosed ? null : await findBotMessageObstacle(scope, ticket)
  const undo = await recordUndoable(scope, ticket, async () => {
    const closed = await closeQuietly(scope, ticket, action)
    if (wasClosed || unsent) return closed
    const notBefore = addMs(scope.now(), batchHoldMs)
    if (!(await sendFarewell(scope, ticket, closed, { farewell, rating, notBefore }))) unsent = 'no-text'
    return closed
  })
  return { undo, unsent }
}

/** Changes until when the messages of a batch are held, which have not been sent. */
export const holdBatchMessages = (scope: Scope, batchId: number, until: Date): Promise<void> =>
  holdMessages(
    scope,
    sql`
      select x.id::bigint from "ticketBatchItems" i
      join "ticketEvents" e on e."companyId" = i."companyId" and e.id = (i.undo ->> 'eventId')::bigint
      cross join lateral jsonb_array_elements_text(e.undo -> 'messageIds') x (id)
      where i."companyId" = ${scope.companyId} and i."batchId" = ${batchId} and i.state in ('done', 'kept')`,
    until,
  )
