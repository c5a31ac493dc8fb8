import type { AnswerContext } from '@recado/contract/flows/answers'
import type { FlowFacts } from '@recado/contract/flows/flow-conditions'
import type { TextValues } from '@recado/contract/flows/flow-variables'
import { openStateAt } from '@recado/contract/hours/opening'
import type { TicketDetail } from '@recado/contract/tickets'
import { type Language, languages } from '@recado/contract/users'
import { sql } from 'kysely'
import { presentTickets } from '../../../desk/tickets/base/ticket-view.ts'
import { toCalendarDay } from '../../../kernel/clock.ts'
import { keepPrepared } from '../../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import { findCalendar, loadRulebook, type Rulebook } from '../../rulebook.ts'

/** Everything that a step or a condition may ask about a conversation at this moment. */
export type FlowContext = {
  rulebook: Rulebook
  ticket: TicketDetail
  /** The run that speaks in the conversation. */
  flowRunId: number | null
  /** Automatic messages are switched off for the contact. */
  disableBot: boolean
  facts: FlowFacts
  texts: TextValues
  answers: AnswerContext
}

/** How many of a ticket's newest messages are searched for the customer's last one. */
const maxSearchedMessages = 50

type ConversationRow = {
  id: number
  flowRunId: number | null
  disableBot: boolean
  language: string | null
  message: { text: string; hasFile: boolean; isFirst: boolean } | null
}

async function loadConversations(scope: Scope, ticketIds: number[]): Promise<(ConversationRow | undefined)[]> {
  const { rows } = await sql<ConversationRow>`${keepPrepared}
    select t.id, t."flowRunId", c."disableBot", c.language, (
      select json_build_object('text', left(m.body, 4096), 'hasFile', m."mediaName" is not null, 'isFirst', not exists (
        select from messages e where e."companyId" = m."companyId" and e."contactId" = m."contactId"
          and not e."fromMe" and e."createdAt" < m."createdAt"))
      from (select * from messages n where n."companyId" = t."companyId" and n."ticketId" = t.id
        order by n.id desc limit ${maxSearchedMessages}) m
      where not m."fromMe" and not m."isDeleted" order by m.id desc limit 1) as message
    from tickets t join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
    where t."companyId" = ${scope.companyId} and t.id = any(${ticketIds}::int[])`.execute(scope.db)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ticketIds.map((id) => found.get(id))
}

const isLanguage = (code: string | null): code is Language => (languages as readonly (string | null)[]).includes(code)

/** Null: the ticket was deleted. `startedById`: the user who started the flow. */
export async function loadFlowContext(
  scope: Scope,
  ticketId: number,
  startedById: number | null,
): Promise<FlowContext | null> {
  const [ticket] = await presentTickets(scope, [ticketId])
  const conversation = ticket && (await scope.load(loadConversations, ticketId))
  if (!ticket || !conversation) return null
  const rulebook = await loadRulebook(scope)
  const now = scope.now()
  const calendar = findCalendar(rulebook, ticket.queueId)
  const { language, zone } = rulebook
  const { contact, user, queue, number } = ticket
  return {
    rulebook,
    ticket,
    flowRunId: conversation.flowRunId,
    disableBot: conversation.disableBot,
    facts: {
      ticket,
      startedBy: startedById,
      now: now.getTime(),
      isOpen: calendar === null || openStateAt(calendar, now).open,
      language: isLanguage(conversation.language) ? conversation.language : null,
      message: conversation.message,
    },
    texts: {
      words: { ...contact, user: user?.name ?? null, queue: queue?.name ?? null, ticket: number },
      moment: { now, zone, language },
    },
    answers: { language, today: toCalendarDay(now, zone) },
  }
}
