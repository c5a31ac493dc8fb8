import { addOpenTime } from '@recado/contract/dashboard/open-time'
import type { FlowTrigger } from '@recado/contract/flows/flow-triggers'
import type { FlowEvent } from '@recado/contract/flows/match-trigger'
import { sql } from 'kysely'
import { days, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { forEachInTimeSlices } from '../../kernel/time-slices.ts'
import { findCalendar, type Rulebook } from '../rulebook.ts'

/** Something that happened and would have started a flow. `text`: the message of the customer. */
export type PastEvent = { event: FlowEvent; ticketId: number; contactId: number; at: number; text: string }

type Silence = Extract<FlowTrigger, { kind: 'silent' }>
type PastMessageOptions = {
  rulebook: Rulebook
  /** The moment at which the past begins that is looked at, and the present. */
  from: number
  now: number
  silences: Silence[]
  /** Whether it matters that a message is the first one of its contact. */
  needsFirst: boolean
  /** For how long it matters that a contact got an automatic message; 0: not at all. */
  pauseMs: number
}
type MessageRow = {
  id: number
  ticketId: number
  contactId: number
  queueId: number | null
  campaignId: number | null
  at: number
  storedAt: number
  fromMe: boolean
  isAutomatic: boolean
  /** A message of a group or of imported history is no event. */
  isIgnored: boolean
  text: string
  hasFile: boolean
}

const messagesPerPage = 500
/** A longer silence is not looked for: its beginning would be too long ago. */
export const maxSilenceDays = 30
/** Closing time makes a silence that counts in opening hours longer by so much. */
const openHoursReserveMs = days(7)

export const isFindableSilence = ({ minutes: length }: Silence): boolean => minutes(length) <= days(maxSilenceDays)

/**
 * Reads the messages of a company from the newest one back, along the primary key: there is no index on their time. Ids
 * grow with the time at which messages were stored, so a day is complete as soon as a message was stored before it.
 */
export function makePastMessages(scope: Scope, options: PastMessageOptions) {
  const { silences, now } = options
  const reserve = Math.max(
    options.pauseMs,
    ...silences.map((one) => minutes(one.minutes) + (one.inOpenHours ? openHoursReserveMs : 0)),
  )
  let before = Number.MAX_SAFE_INTEGER
  let isOver = false
  let found: PastEvent[] = []
  /** When the next message of each ticket was written. */
  const nextAt = new Map<number, number>()
  const automaticAt = new Map<number, number[]>()
  const firstIds = new Map<number, number>()

  async function readPage(): Promise<MessageRow[]> {
    const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)
    const { rows } = await sql<MessageRow>`
      with page as (
        select * from messages m where m."companyId" = ${scope.companyId} and m.id < ${before} order by m.id desc limit ${sql.lit(messagesPerPage)})
      select m.id, m."ticketId", m."contactId", t."queueId", m."campaignId", ${ms('m."createdAt"')} as at, ${ms('m."storedAt"')} as "storedAt",
        m."fromMe", m.bot is not null as "isAutomatic",
        t.id is null or t."isGroup" or t.past or m."mediaType" = 'call_log' as "isIgnored",
        case when m."fromMe" or m."mediaType" in ('locationMessage', 'contactMessage', 'vcard', 'unknown') then '' else left(m.body, 4096) end as text,
        m."mediaName" is not null or m."mediaPath" is not null as "hasFile"
      from page m left join tickets t on t."companyId" = m."companyId" and t.id = m."ticketId" order by m.id desc`.execute(
      scope.db,
    )
    return rows
  }

  /** Of the contacts of these messages: the id of the first message. */
  async function loadFirstIds(rows: MessageRow[]): Promise<void> {
    const ids = [...new Set(rows.map(({ contactId }) => contactId))].filter((id) => !firstIds.has(id))
    if (!ids.length) return
    const { rows: first } = await sql<{ contactId: number; id: number }>`
      select m."contactId", min(m.id)::float8 as id from messages m
      where m."companyId" = ${scope.companyId} and m."contactId" = any(${ids}::int[]) and not m."fromMe" group by 1`.execute(
      scope.db,
    )
    for (const { contactId, id } of first) firstIds.set(contactId, id)
  }

  function takeMessage(row: MessageRow): void {
    const { id, ticketId, contactId, at, text, fromMe, hasFile, campaignId } = row
    if (row.isIgnored) return
    const base = { ticketId, contactId, at, text: fromMe ? '' : text }
    if (row.isAutomatic && options.pauseMs > 0) {
      const own = automaticAt.get(contactId) ?? []
      automaticAt.set(contactId, own)
      own.push(at)
    }
    if (fromMe) for (const silence of silences) takeSilence(row, silence)
    else {
      const details = { text, hasFile, isFirst: firstIds.get(contactId) === Number(id) }
      found.push({ ...base, event: { kind: 'message', details } })
      if (campaignId !== null) found.push({ ...base, event: { kind: 'campaignAnswered', details: { campaignId } } })
    }
    nextAt.set(ticketId, at)
  }

  function takeSilence(
    { ticketId, contactId, queueId, at }: MessageRow,
    { minutes: length, inOpenHours }: Silence,
  ): void {
    const calendar = inOpenHours ? findCalendar(options.rulebook, queueId) : null
    const end = addOpenTime(calendar, new Date(at), minutes(length))?.getTime()
    if (end === undefined || end > now || end >= (nextAt.get(ticketId) ?? Number.POSITIVE_INFINITY)) return
    const details = { minutes: length, inOpenHours }
    found.push({ ticketId, contactId, at: end, text: '', event: { kind: 'silent', details } })
  }

  return {
    /** The events since this moment that were not returned yet. */
    async readSince(from: number): Promise<PastEvent[]> {
      while (!isOver) {
        const rows = await readPage()
        before = Number(rows.at(-1)?.id ?? 0)
        if (options.needsFirst) await loadFirstIds(rows)
        await forEachInTimeSlices(rows, takeMessage)
        isOver = rows.length < messagesPerPage
        if (rows.some(({ storedAt }) => storedAt < from - reserve)) break
      }
      const ready = found.filter(({ at }) => at >= from)
      found = found.filter(({ at }) => at < from && at >= options.from)
      return ready
    },
    /** When the contact got the last automatic message before this moment; null: none was found. */
    lastAutomaticAt: (contactId: number, at: number): number | null =>
      automaticAt.get(contactId)?.find((one) => one < at) ?? null,
  }
}
