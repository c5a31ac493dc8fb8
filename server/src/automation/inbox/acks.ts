import { type Selectable, sql } from 'kysely'
import { addErrand } from '../../desk/messages/errands.ts'
import { announceChange } from '../../desk/messages/store.ts'
import { step } from '../../desk/tickets/track.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import type { Entry } from './journal.ts'
import { journalled, type Outcome } from './steps.ts'

type Ack = Extract<InboundEvent, { kind: 'ack' }>

type Ticked = Pick<Selectable<DB['messages']>, 'id' | 'contactId' | 'wid' | 'body' | 'isDeleted' | 'isEdited'> & {
  before: string
}

/**
 * Ticks only move forward; a tick also says that the message has left, whatever we thought. What is wrong with one that
 * had left is not put right by it: a file that did not come, a correction that was refused.
 */
async function tick(scope: Scope, row: LineRow, acks: Ack[]): Promise<void> {
  const { rows } = await sql<Ticked>`
    with told as (
      select wid, max(ack) as ack
      from unnest(${acks.map((a) => a.targetId)}::text[], ${acks.map((a) => a.ack)}::smallint[]) a (wid, ack) group by wid
    ), before as (
      select m.id, m.state, t.ack from told t join messages m on m.wid = t.wid
      where m."companyId" = ${row.companyId} and m."whatsappId" = ${row.id} and m."fromMe" and m.ack < t.ack
      order by m.id for update of m
    )
    update messages m set ack = b.ack, state = 'sent', error = case when b.state = 'sent' then m.error end
    from before b where m."companyId" = ${row.companyId} and m.id = b.id
    returning m.id, m."contactId", m.wid, m.body, m."isDeleted", m."isEdited", b.state as before`.execute(scope.db)
  for (const one of rows) if (one.before !== 'sent') await putRight(scope, row, one)
  await announceChange(
    scope,
    rows.map((r) => r.id),
  )
}

/** Deleted or edited while we did not know that it had left. Which words the customer reads nobody knows any more. */
async function putRight(scope: Scope, row: LineRow, ticked: Ticked): Promise<void> {
  const { contactId, wid, body, isDeleted, isEdited } = ticked
  if (isDeleted) await addErrand(scope, row.id, { kind: 'revoke', contactId, wid })
  else if (isEdited) await addErrand(scope, row.id, { kind: 'edit', contactId, wid, body, was: { body, isEdited } })
}

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
  await tick(scope, row, [event])
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
      row,
      acks.map((a) => a.event),
    )
  })
  const done = new Set<Entry>(acks)
  return entries.filter((e) => !done.has(e))
}
