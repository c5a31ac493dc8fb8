import type { AnswerContext } from '@recado/contract/flows/answers'
import type { FlowFacts } from '@recado/contract/flows/flow-conditions'
import type { TextValues } from '@recado/contract/flows/flow-variables'
import { openStateAt } from '@recado/contract/hours/opening'
import type { TicketDetail } from '@recado/contract/tickets'
import { type Language, languages } from '@recado/contract/users'
import { sql } from 'kysely'
import { presentTickets } from '../../desk/tickets/base/ticket-view.ts'
import { toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { findCalendar, type Rulebook } from '../rulebook.ts'
import type { PastEvent } from './past-messages.ts'

/** What is known about a conversation at a moment of the past. */
export type PastContext = {
  ticket: TicketDetail
  /** Automatic messages are switched off for the contact, or the contact does not want them. */
  disableBot: boolean
  hasOptedOut: boolean
  facts: FlowFacts
  texts: TextValues
  answers: AnswerContext
}

type Conversation = Pick<PastContext, 'ticket' | 'disableBot' | 'hasOptedOut'> & { language: Language | null }
type ContactRow = { id: number; disableBot: boolean; hasOptedOut: boolean; language: string | null }
type MomentRow = {
  n: number
  hasSegment: boolean
  queueId: number | null
  userId: number | null
  isAttended: boolean
  isClosed: boolean
  message: FlowFacts['message']
}

/** How many events are looked up together. */
export const eventsPerLookup = 100
const maxCachedConversations = 2000
/** Customers' clocks differ from ours: a message may have been written before the ticket that it opened. */
const clockTolerance = sql`interval '1 minute'`

const isLanguage = (code: string | null): code is Language => (languages as readonly (string | null)[]).includes(code)

/**
 * Looks up conversations as they were. Stored with its time is who had a ticket, in which queue, and what the customer
 * had written; everything else, such as tags and fields, is as it is today.
 */
export function makePastFacts(scope: Scope, rulebook: Rulebook) {
  const conversations = new Map<number, Conversation>()

  async function loadConversations(ticketIds: number[]): Promise<void> {
    if (conversations.size > maxCachedConversations) conversations.clear()
    const missing = [...new Set(ticketIds)].filter((id) => !conversations.has(id))
    if (!missing.length) return
    const tickets = await presentTickets(scope, missing)
    const { rows } = await sql<ContactRow>`
      select c.id, c."disableBot", c.language,
        exists (select from "campaignStops" s where s."companyId" = c."companyId" and s."contactId" = c.id) as "hasOptedOut"
      from contacts c where c."companyId" = ${scope.companyId}
        and c.id = any(${[...new Set(tickets.map(({ contactId }) => contactId))]}::int[])`.execute(scope.db)
    const contacts = new Map(rows.map((row) => [row.id, row]))
    for (const ticket of tickets) {
      const contact = contacts.get(ticket.contactId)
      if (!contact) continue
      const { disableBot, hasOptedOut, language } = contact
      conversations.set(ticket.id, {
        ticket,
        disableBot,
        hasOptedOut,
        language: isLanguage(language) ? language : null,
      })
    }
  }

  async function loadMoments(events: PastEvent[]): Promise<Map<number, MomentRow>> {
    const { rows } = await sql<MomentRow>`
      select x.n::int, k.id is not null as "hasSegment", k."queueId", k."userId",
        coalesce(k."startedAt" <= x.at, false) as "isAttended", coalesce(k."finishedAt" <= x.at, false) as "isClosed", (
        select json_build_object('text', left(m.body, 4096), 'hasFile', m."mediaName" is not null or m."mediaPath" is not null,
          'isFirst', not exists (select from messages e
            where e."companyId" = m."companyId" and e."contactId" = m."contactId" and not e."fromMe" and e.id < m.id))
        from (select * from messages m where m."companyId" = ${scope.companyId} and m."ticketId" = x.ticket and not m."fromMe"
          and x."needsMessage" and m."createdAt" <= x.at + ${clockTolerance} order by m.id desc limit 1) m) as message
      from unnest(${events.map(({ ticketId }) => ticketId)}::int[], ${events.map(({ at }) => new Date(at))}::timestamptz[],
        ${events.map(({ event }) => event.kind !== 'message')}::boolean[]) with ordinality x (ticket, at, "needsMessage", n)
      left join lateral (
        select k.* from "ticketTracking" k where k."companyId" = ${scope.companyId} and k."ticketId" = x.ticket
          and k."createdAt" <= x.at + ${clockTolerance} order by k.id desc limit 1) k on true`.execute(scope.db)
    return new Map(rows.map((row) => [row.n, row]))
  }

  function toContext({ event, at }: PastEvent, conversation: Conversation, moment: MomentRow | undefined): PastContext {
    const { ticket, language } = conversation
    const then = moment?.hasSegment ? stateOf(ticket, moment) : ticket
    const now = new Date(at)
    const calendar = findCalendar(rulebook, then.queueId)
    const { contact, user, queue, number } = ticket
    return {
      ...conversation,
      ticket: then,
      facts: {
        ...{ ticket: then, startedBy: null, now: at, language },
        isOpen: calendar === null || openStateAt(calendar, now).open,
        message: event.kind === 'message' ? event.details : (moment?.message ?? null),
      },
      texts: {
        words: { ...contact, user: user?.name ?? null, queue: queue?.name ?? null, ticket: number },
        moment: { now, zone: rulebook.zone, language: rulebook.language },
      },
      answers: { language: rulebook.language, today: toCalendarDay(now, rulebook.zone) },
    }
  }

  return {
    /** Of each event; null: the ticket was deleted. At most `eventsPerLookup` at once. */
    async load(events: PastEvent[]): Promise<(PastContext | null)[]> {
      await loadConversations(events.map(({ ticketId }) => ticketId))
      const moments = await loadMoments(events)
      return events.map((event, n) => {
        const conversation = conversations.get(event.ticketId)
        return conversation ? toContext(event, conversation, moments.get(n + 1)) : null
      })
    },
  }
}

function stateOf(ticket: TicketDetail, { isClosed, isAttended, queueId, userId }: MomentRow): TicketDetail {
  const status = isClosed ? 'closed' : isAttended ? 'open' : 'pending'
  const closingReason = isClosed ? ticket.closingReason : null
  return { ...ticket, status, queueId, userId: isAttended ? userId : null, closingReason }
}
