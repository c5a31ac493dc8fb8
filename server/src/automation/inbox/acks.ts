import { announceChange } from '../../desk/messages/store.ts'
import { step } from '../../desk/tickets/track.ts'
import type { Means } from '../../kernel/scope.ts'
import { Scope } from '../../kernel/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import { type Entry, journalled } from './journal.ts'

type Ack = Extract<InboundEvent, { kind: 'ack' }>

// Ticks only move forward; a tick of the server also says that the message has left.
const write = `
  with given as (select * from jsonb_to_recordset($2::jsonb) as g("journalId" bigint, wid text, ack smallint)),
  ticked as (
    update messages m set ack = g.ack, state = case when m.state in ('queued', 'sending', 'failed') then 'sent' else m.state end, error = null
    from (select wid, max(ack) as ack from given group by wid) g
    where m."companyId" = $1 and m."whatsappId" = $3 and m.wid = g.wid and m."fromMe" and m.ack < g.ack
    returning m.id
  ),
  mine as (
    update journal j set "processedAt" = $4, steps = $5 from given g where j.id = g."journalId" and j."processedAt" is null returning j.id
  )
  select coalesce((select json_agg(id) from ticked), '[]') as ticked, (select count(*) from mine) as done`

/** Ticks of a batch in one statement. They never wait for the rest: a tick changes no order. */
export async function handleAcks(means: Means, row: LineRow, entries: Entry[]): Promise<Entry[]> {
  const acks = entries.filter((e): e is Entry & { event: Ack } => e.event.kind === 'ack')
  if (!acks.length) return entries
  const given = acks.map(({ journalId, event }) => ({ journalId, wid: event.targetId, ack: event.ack }))
  const [reply] = await means.database.named<{ ticked: number[] }>(row.companyId, 'inbox_acks', write, [
    row.companyId,
    JSON.stringify(given),
    row.id,
    means.clock.now(),
    JSON.stringify([journalled, step('ticked', 'forward-only')]),
  ])
  await announceChange(new Scope(means, { companyId: row.companyId }), reply?.ticked ?? [])
  return entries.filter((e) => e.event.kind !== 'ack')
}
