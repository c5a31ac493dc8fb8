import { extractDigits } from '@recado/contract/contacts'
import type { SandboxCustomer, SandboxPhoneMessage } from '@recado/contract/sandbox'
import type { TicketEvent, TicketEventStep } from '@recado/contract/tickets'
import { type Selectable, sql } from 'kysely'
import { recordsPerPage } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { signedMediaUrl } from '../../kernel/files/media.ts'
import { hiddenMessageKinds, type SandboxExtra } from '../../lines/sandbox/events.ts'

/** The address of a chat: a number in any format is reduced to its digits; anything else is a group's name. */
export const normalizeChatAddress = (given: string): string =>
  /^[\s+()\d.-]{8,}$/.test(given) ? extractDigits(given) : given.trim()

/** All customers on the test phone, the latest writer first. */
export async function listPhoneCustomers(scope: Scope, whatsappId: number, only?: string): Promise<SandboxCustomer[]> {
  const { rows } = await sql<SandboxCustomer>`
    select c.number, c.name, c."isGroup", c.members, c."typingUntil" > now() is true as typing, null as picture,
           coalesce(l.body, '') as last,
           (select count(*) from (
              select u."fromCustomer", u.ack from "sandboxMessages" u
              where u."companyId" = c."companyId" and u."whatsappId" = c."whatsappId" and u.chat = c.number
                and u.kind <> all(${hiddenMessageKinds}) order by u.seq desc limit 100
            ) u where not u."fromCustomer" and u.ack < 4)::int as unread
    from "sandboxCustomers" c
    left join lateral (
      select m.seq, case when m."isDeleted" then '' when m.body = '' then coalesce(m."mediaName", m.kind) else m.body end as body
      from "sandboxMessages" m where m."companyId" = c."companyId" and m."whatsappId" = c."whatsappId" and m.chat = c.number
        and m.kind <> all(${hiddenMessageKinds}) order by m.seq desc limit 1
    ) l on true
    where c."companyId" = ${scope.companyId} and c."whatsappId" = ${whatsappId} and (${only ?? null}::text is null or c.number = ${only ?? null})
    order by l.seq desc nulls last, c."createdAt" desc, c.number limit 500`.execute(scope.db)
  return rows
}

type Row = Selectable<DB['sandboxMessages']>

/** One page of a chat. The first page is the newest; within a page the oldest message is first. */
export async function listPhoneMessages(
  scope: Scope,
  whatsappId: number,
  chat: string,
  pageNumber: number,
): Promise<{ messages: SandboxPhoneMessage[]; hasMore: boolean }> {
  const size = recordsPerPage * 2
  const rows = await scope.db
    .selectFrom('sandboxMessages')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('chat', '=', chat)
    .where('kind', 'not in', hiddenMessageKinds)
    .orderBy('seq', 'desc')
    .limit(size + 1)
    .offset((pageNumber - 1) * size)
    .execute()
  return {
    messages: rows
      .slice(0, size)
      .reverse()
      .map((row) => presentPhoneMessage(scope, row)),
    hasMore: rows.length > size,
  }
}

function presentPhoneMessage(scope: Scope, row: Row): SandboxPhoneMessage {
  if (row.isDeleted)
    return { ...row, body: '', mediaUrl: null, mediaName: null, reaction: null, voice: null, isForwarded: false }
  const { voice = null, forwarded: isForwarded = false } = row.content as SandboxExtra
  return { ...row, body: describeMessage(row), mediaUrl: signedMediaUrl(scope, row), voice, isForwarded }
}

const readCardNumber = (vcard: string): string | undefined => {
  const line = vcard.split(/\r?\n/).find((one) => /^(?:item\d{1,3}\.)?TEL[;:]/i.test(one))
  return line?.slice(line.indexOf(':') + 1)
}

/** Locations and cards as text, for a screen that shows only text. */
function describeMessage(row: Row): string {
  const { latitude, longitude, cards } = row.content as SandboxExtra
  if (row.kind === 'location') return [row.body, `${latitude}, ${longitude}`].filter(Boolean).join('\n')
  if (row.kind === 'contact')
    return (cards ?? []).map((card) => [card.name, readCardNumber(card.vcard)].filter(Boolean).join('\n')).join('\n')
  return row.body
}

/** The events of a chat, newest last: incoming events with each decision, and agents' actions on the ticket. */
export async function listHappenings(scope: Scope, whatsappId: number, chat: string): Promise<TicketEvent[]> {
  const { rows } = await sql<Omit<TicketEvent, 'steps'> & { steps: TicketEventStep[] }>`
    with addresses as (
      select unnest(array[${`${chat}@s.whatsapp.net`}, ${`${chat}@g.us`}]) as chat
      union select (content->>'lid') || '@lid' from "sandboxMessages"
      where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and chat = ${chat} and content ? 'lid'
    ), heard as (
      select j.* from journal j where j."companyId" = ${scope.companyId} and j."whatsappId" = ${whatsappId}
        and j.chat in (select chat from addresses) order by j.id desc limit 200
    ), happened as (
      select 'j' || h.id as id, coalesce(h."processedAt", h."receivedAt") as at, h.kind, m.id::text as "messageId",
        coalesce(h.event->>'targetId', h.event->>'id') as "phoneId", null::jsonb as actor, h.steps
      from heard h left join messages m on h.kind = 'message' and m."companyId" = h."companyId"
        and m."whatsappId" = h."whatsappId" and m.wid = h.event->>'id'
      union all
      (select 'e' || e.id, e.at, e.kind, null, null, case when u.id is null then null else jsonb_build_object('id', u.id, 'name', u.name) end, e.steps
       from "ticketEvents" e left join users u on u."companyId" = e."companyId" and u.id = e."userId"
       where e."companyId" = ${scope.companyId} and e."ticketId" in (select distinct "ticketId" from heard where "ticketId" is not null)
       order by e.id desc limit 200)
    )
    select * from happened order by at, left(id, 1), length(id), id`.execute(scope.db)
  return rows
}
