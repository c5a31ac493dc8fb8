import { markNotDelivered } from '../../desk/messages/delivery-status.ts'
import { notifyUnsent } from '../../desk/tickets/base/notices.ts'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import type { EventOutcome } from './steps.ts'

type DeliveryFailureEvent = Extract<InboundEvent, { kind: 'failed' }>

export async function handleDeliveryFailure(
  scope: Scope,
  row: LineRow,
  event: DeliveryFailureEvent,
): Promise<EventOutcome> {
  const found = await markNotDelivered(scope, row.id, event)
  if (found) await notifyUnsent(scope, [found.id])
  const why = makeStep('not-delivered', event.reason.split(':')[0] as string, {
    code: event.reason.split(':')[1] ?? null,
    detail: event.detail,
  })
  return { ticketId: found?.ticketId ?? null, steps: [why] }
}
