import { tick } from '../../desk/messages/ticks.ts'
import { step } from '../../desk/tickets/track.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import type { Entry } from './journal.ts'
import { journalled, type Outcome } from './steps.ts'

type Ack = Extract<InboundEvent, { kind: 'ack' }>

const ticked = step('ticked', 'forward-only')

/** Which of these messages are here. */
async function knownOf(scope: Scope, row: LineRow, wids: string[]): Promise<Set<string>> {
  const found = await scope.db
    .selectFrom('messages')
    .select('wid')
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', 'in', wids)
    .execute()
  return new Set(found.map((m) => m.wid))
}

/** One tick, behind whatever came before it. Of a message that was written on the phone and has not come yet it waits for it. */
export async function acked(scope: Scope, row: LineRow, event: Ack): Promise<Outcome> {
  const { targetId } = event
  if (!(await knownOf(scope, row, [targetId])).has(targetId))
    return { ticketId: null, steps: [step('nothing', 'message-not-yet')], waitsFor: targetId }
  await tick(scope, row.id, [event])
  return { ticketId: null, steps: [ticked] }
}

const isAck = (entry: Entry): entry is Entry & { event: Ack } => entry.event.kind === 'ack'

/**
 * Ticks of a batch at once. They wait for nothing, since they change no order; only those of a message that is not here
 * yet are left for later.
 */
export async function handleAcks(means: Means, row: LineRow, entries: Entry[]): Promise<Entry[]> {
  const all = entries.filter(isAck)
  if (!all.length) return entries
  const known = await knownOf(
    new Scope(means, { companyId: row.companyId }),
    row,
    all.map((a) => a.event.targetId),
  )
  const acks = all.filter((a) => known.has(a.event.targetId))
  if (!acks.length) return entries
  await new Scope(means, { companyId: row.companyId }).transaction(async (scope) => {
    await scope.db
      .updateTable('journal')
      .set({ processedAt: scope.now(), steps: JSON.stringify([journalled, ticked]) })
      .where('companyId', '=', row.companyId)
      .where(
        'id',
        'in',
        acks.map((a) => a.journalId),
      )
      .where('processedAt', 'is', null)
      .execute()
    await tick(
      scope,
      row.id,
      acks.map((a) => a.event),
    )
  })
  const done = new Set<Entry>(acks)
  return entries.filter((e) => !done.has(e))
}
