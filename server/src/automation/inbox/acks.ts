import { recordMessageCosts } from '../../desk/messages/costs.ts'
import { applyDeliveryStatus } from '../../desk/messages/delivery-status.ts'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import type { JournalEntry } from './journal.ts'
import { type EventOutcome, journalledStep } from './steps.ts'

type Ack = Extract<InboundEvent, { kind: 'ack' }>

const ackStep = makeStep('ticked', 'forward-only')

/** The ids of those messages that are already stored. */
async function findKnownWids(scope: Scope, row: LineRow, wids: string[]): Promise<Set<string>> {
  const found = await scope.db
    .selectFrom('messages')
    .select('wid')
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', 'in', wids)
    .execute()
  return new Set(found.map((m) => m.wid))
}

/** Handles one ack, in order. An ack of a message from the phone that has not arrived yet waits for that message. */
export async function handleAck(scope: Scope, row: LineRow, event: Ack): Promise<EventOutcome> {
  const { targetId } = event
  if (!(await findKnownWids(scope, row, [targetId])).has(targetId))
    return { ticketId: null, steps: [makeStep('nothing', 'message-not-yet')], waitsFor: targetId }
  await applyDeliveryStatus(scope, row.id, [event])
  await recordMessageCosts(scope, row.id, [event])
  return { ticketId: null, steps: [ackStep] }
}

const isAck = (entry: JournalEntry): entry is JournalEntry & { event: Ack } => entry.event.kind === 'ack'

/**
 * Handles the acks of a batch at once. Acks change no order, so they wait for no other event; only acks of a message that
 * has not arrived yet are left for later.
 */
export async function handleAcks(deps: Deps, row: LineRow, entries: JournalEntry[]): Promise<JournalEntry[]> {
  const all = entries.filter(isAck)
  if (!all.length) return entries
  const known = await findKnownWids(
    new Scope(deps, { companyId: row.companyId }),
    row,
    all.map((a) => a.event.targetId),
  )
  const acks = all.filter((a) => known.has(a.event.targetId))
  if (!acks.length) return entries
  await new Scope(deps, { companyId: row.companyId }).transaction(async (scope) => {
    await scope.db
      .updateTable('journal')
      .set({ processedAt: scope.now(), steps: JSON.stringify([journalledStep, ackStep]) })
      .where('companyId', '=', row.companyId)
      .where(
        'id',
        'in',
        acks.map((a) => a.journalId),
      )
      .where('processedAt', 'is', null)
      .execute()
    await applyDeliveryStatus(
      scope,
      row.id,
      acks.map((a) => a.event),
    )
    await recordMessageCosts(
      scope,
      row.id,
      acks.map((a) => a.event),
    )
  })
  const done = new Set<JournalEntry>(acks)
  return entries.filter((e) => !done.has(e))
}
