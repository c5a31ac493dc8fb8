import { notDelivered } from '../../desk/messages/ticks.ts'
import { tellUnsent } from '../../desk/notices.ts'
import { step } from '../../desk/tickets/track.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import type { Outcome } from './steps.ts'

type Failed = Extract<InboundEvent, { kind: 'failed' }>

export async function failed(scope: Scope, row: LineRow, event: Failed): Promise<Outcome> {
  const found = await notDelivered(scope, row.id, event)
  if (found) await tellUnsent(scope, [found.id])
  const why = step('not-delivered', event.reason.split(':')[0] as string, {
    code: event.reason.split(':')[1] ?? null,
    detail: event.detail,
  })
  return { ticketId: found?.ticketId ?? null, steps: [why] }
}
