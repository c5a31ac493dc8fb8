import type { BinaryNode } from 'baileys'
import { addMs, days } from '../../../kernel/clock.ts'
import type { Deps } from '../../../kernel/data/scope.ts'
import type { Log } from '../../../kernel/log.ts'
import type { InboundEvent, LineListener, LineRow } from '../../line.ts'
import { isReadByMember, listReceiptIds } from '../inbound/receipts.ts'

const insertSendSql = `
  insert into "groupSends" ("companyId", "whatsappId", wid, members, "sentAt") values ($1, $2, $3, $4, $5)
  on conflict do nothing`

// The statement does not see the rows that it inserts, so they are counted separately.
const recordReadsSql = `
  with told as (
    select distinct t.wid, t.reader from unnest($3::text[], $4::text[]) t (wid, reader)
    join "groupSends" s on s."companyId" = $1 and s."whatsappId" = $2 and s.wid = t.wid
  ),
  fresh as (
    insert into "groupReads" ("companyId", "whatsappId", wid, reader) select $1, $2, wid, reader from told
    on conflict do nothing returning wid
  )
  select s.wid from "groupSends" s
  where s."companyId" = $1 and s."whatsappId" = $2 and s.wid in (select wid from fresh) and s.members <= (
    select count(*) from "groupReads" r where r."companyId" = $1 and r."whatsappId" = $2 and r.wid = s.wid
  ) + (select count(*) from fresh f where f.wid = s.wid)`

const deleteSendsSql = `
  delete from "groupSends" where "companyId" = $1 and "whatsappId" = $2 and (wid = any($3::text[]) or "sentAt" < $4)`

type GroupReadsDeps = {
  deps: Deps
  row: LineRow
  listener: LineListener
  log: Log
  /** One key per member, whichever address the receipt had; empty: our own account. */
  nameOf(jid: string): Promise<string>
}
type GroupReadReceipt = { wid: string; reader: string; at: string; chat: string }

/**
 * Counts who has read a group message. WhatsApp shows a message as read when the last recipient has read it, and
 * reports each recipient separately. Receipts that arrive during a write are written together after it.
 */
export function makeGroupReads({ deps: { database, clock }, row, listener, log, nameOf }: GroupReadsDeps) {
  const { companyId, id: whatsappId } = row
  const pendingReceipts: Promise<GroupReadReceipt[]>[] = []
  let isBusy = false

  const runPrepared = <R extends object>(name: string, text: string, values: unknown[]): Promise<R[]> =>
    database.queryPrepared<R>(companyId, name, text, [companyId, whatsappId, ...values])

  async function readReceipts({ attrs, content }: BinaryNode): Promise<GroupReadReceipt[]> {
    const reader = await nameOf(attrs.participant ?? '')
    const at = new Date(Number(attrs.t ?? 0) * 1000 || Date.now()).toISOString()
    return reader ? listReceiptIds({ attrs, content }).map((wid) => ({ wid, reader, at, chat: attrs.from ?? '' })) : []
  }

  async function write(receipts: GroupReadReceipt[]): Promise<void> {
    const lists = [receipts.map((one) => one.wid), receipts.map((one) => one.reader)]
    const rows = receipts.length ? await runPrepared<{ wid: string }>('linked_group_read', recordReadsSql, lists) : []
    if (!rows.length) return
    const wids = rows.map(({ wid }) => wid)
    await listener.receive(
      receipts.filter(({ wid }, n) => wids.includes(wid) && indexOfFirst(receipts, wid) === n).map(toReadEvent),
    )
    await runPrepared('linked_group_done', deleteSendsSql, [wids, addMs(clock.now(), -days(30))])
  }

  async function writeAll(): Promise<void> {
    if (isBusy) return
    isBusy = true
    while (pendingReceipts.length)
      await Promise.all(pendingReceipts.splice(0))
        .then((receipts) => write(receipts.flat()))
        .catch((err) => log.warn({ err, line: whatsappId }, 'who read in a group was not written down'))
    isBusy = false
  }

  return {
    /** Stores the number of recipients. If a group's size is unknown, "read by all" cannot be determined. */
    async recordSend(wid: string, members: number | null): Promise<void> {
      if (members)
        await runPrepared('linked_group_sent', insertSendSql, [wid, members, clock.now()]).catch((err) =>
          log.warn({ err, line: whatsappId }, 'the members of a group were not written down'),
        )
    },
    handleReceipt(stanza: BinaryNode): void {
      if (!isReadByMember(stanza)) return
      const receipts = readReceipts(stanza)
      // An error is handled when these receipts are written.
      receipts.catch(() => {})
      pendingReceipts.push(receipts)
      void writeAll()
    },
  }
}
export type GroupReads = ReturnType<typeof makeGroupReads>

const indexOfFirst = (receipts: GroupReadReceipt[], wid: string): number => receipts.findIndex((one) => one.wid === wid)

const toReadEvent = ({ wid, chat, at }: GroupReadReceipt): InboundEvent => ({
  kind: 'ack',
  id: `${wid}:ack:4`,
  chat,
  at,
  targetId: wid,
  ack: 4,
})
