import { step } from '../../desk/tickets/track.ts'
import { type Means, Scope } from '../../kernel/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import { acked } from './acks.ts'
import { call } from './call.ts'
import { contactNews, edited, reacted, revoked } from './changes.ts'
import type { Entry } from './journal.ts'
import { message } from './message.ts'
import { journalled, type Outcome } from './steps.ts'

type Kind = InboundEvent['kind']
type Handler<K extends Kind> = (
  scope: Scope,
  row: LineRow,
  event: Extract<InboundEvent, { kind: K }>,
) => Promise<Outcome>

const handlers: { [K in Kind]: Handler<K> } = {
  message,
  ack: acked,
  edit: edited,
  revoke: revoked,
  reaction: reacted,
  call,
  contact: contactNews,
}

/** One event in one transaction: taken from the journal, decided, written, and finished together or not at all. */
export async function handle(means: Means, row: LineRow, { journalId, event }: Entry): Promise<void> {
  const scope = new Scope(means, { companyId: row.companyId })
  await scope.transaction(async (tx) => {
    const taken = await tx.db
      .updateTable('journal')
      .set({ processedAt: tx.now() })
      .where('companyId', '=', row.companyId)
      .where('id', '=', journalId)
      .where('processedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!taken) return
    const { ticketId, steps } = await (handlers[event.kind] as Handler<Kind>)(tx, row, event)
    await tx.db
      .updateTable('journal')
      .set({ ticketId, steps: JSON.stringify([journalled, ...steps]), error: null })
      .where('companyId', '=', row.companyId)
      .where('id', '=', journalId)
      .execute()
  })
}

/** Tried often enough: kept with what went wrong, for a person to look at. */
export async function setAside(means: Means, row: LineRow, { journalId }: Entry, error: unknown): Promise<void> {
  const { db } = new Scope(means, { companyId: row.companyId })
  const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
  await db
    .updateTable('journal')
    .set((eb) => ({
      processedAt: means.clock.now(),
      attempts: eb('attempts', '+', 1),
      error: reason,
      steps: JSON.stringify([journalled, step('set-aside', 'always-failed', { error: reason })]),
    }))
    .where('companyId', '=', row.companyId)
    .where('id', '=', journalId)
    .where('processedAt', 'is', null)
    .execute()
}
