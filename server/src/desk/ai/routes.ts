import { type AssistReply, assistApi } from '@recado/contract/ai/assist'
import { recallKnowledge } from '../../directory/ai/knowledge/find-knowledge.ts'
import { findContact } from '../../directory/contacts/contact-store.ts'
import { type Clock, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { streamAsNdjson } from '../../kernel/http/ndjson.ts'
import { makeAttemptLimiter } from '../../kernel/http/rate-limits.ts'
import { type HttpExchange, type Route, route } from '../../kernel/http/routes.ts'
import { loadCompanyContext } from '../company-context.ts'
import { addNote } from '../notes.ts'
import { findVisibleTicket } from '../tickets/base/ticket-view.ts'
import { type AssistContext, type AssistStream, findAgentPrompt, loadAssistContext, requestAssist } from './assist.ts'
import { type HistoryLine, loadRecentMessages } from './history.ts'
import {
  incomingTranslationPrompt,
  outgoingTranslationPrompt,
  rewritePrompt,
  suggestionPrompt,
  summaryPrompt,
} from './prompts.ts'

/** A rate limit that no agent reaches by working, but low enough that a key held down costs little. */
const assistRateLimit = { maxAttempts: 30, windowMs: minutes(1) }
const maxKnowledgePieces = 5
/** How many of the newest messages are read per task. */
const maxHistoryMessages = { toAnswer: 20, toTranslate: 12, toSum: 120 }
const maxNoteLength = 4000

type AssistWork = (context: AssistContext, stream: AssistStream) => Promise<AssistReply>

/** AI assistance for agents. Each route checks visibility of the ticket and calls the model outside a transaction. */
export function assistRoutes(clock: Clock): Route[] {
  const presses = makeAttemptLimiter(clock, assistRateLimit)
  const own = { transaction: false }
  const helping = (scope: Scope, ticketId: number, exchange: HttpExchange, work: AssistWork): Promise<AssistReply> => {
    const who = `${scope.companyId} ${scope.actor.id}`
    presses.check(who)
    presses.count(who)
    return streamAsNdjson(exchange, async (say, signal) =>
      work(await loadAssistContext(scope, ticketId), { onText: say, signal }),
    )
  }
  return [
    route(assistApi.state, async (scope, { params }) => {
      const ticket = await findVisibleTicket(scope, params.ticketId)
      const on = scope.plan.useOpenAi === true && (await findAgentPrompt(scope, ticket)) !== undefined
      return { on, language: (await findContact(scope, ticket.contactId, false)).language }
    }),
    route(
      assistApi.suggest,
      (scope, { params, body }, exchange) =>
        helping(scope, params.ticketId, exchange, (context, stream) => suggest(scope, context, body.draft, stream)),
      own,
    ),
    route(
      assistApi.rewrite,
      (scope, { params, body }, exchange) =>
        helping(scope, params.ticketId, exchange, (context, stream) =>
          requestAssist(
            scope,
            context,
            { kind: body.manner, messages: rewritePrompt(body.manner, body.text), temperature: 0.3 },
            stream,
          ),
        ),
      own,
    ),
    route(
      assistApi.translate,
      (scope, { params, body }, exchange) =>
        helping(scope, params.ticketId, exchange, (context, stream) =>
          body.way === 'out' ? translateOut(scope, context, body.text, stream) : translateIn(scope, context, stream),
        ),
      own,
    ),
    route(
      assistApi.summarise,
      (scope, { params, body }, exchange) =>
        helping(scope, params.ticketId, exchange, (context, stream) => summarize(scope, context, body, stream)),
      own,
    ),
  ]
}

async function suggest(
  scope: Scope,
  context: AssistContext,
  draft: string,
  stream: AssistStream,
): Promise<AssistReply> {
  const { ticket, prompt } = context
  const lines = await loadRecentMessages(scope, ticket, maxHistoryMessages.toAnswer)
  const pieces = await recallKnowledge(scope, prompt.id, `${draft} ${lastCustomerText(lines)}`, maxKnowledgePieces)
  const messages = suggestionPrompt({
    ...{ prompt: prompt.prompt, company: await loadCompanyName(scope), agent: scope.actor.name, lines, draft },
    pieces: pieces.map(({ name, place, heading, text }) => ({
      source: `${name}, ${place}`,
      text: [heading, text].filter(Boolean).join('\n'),
    })),
  })
  const sources = pieces.map(({ knowledgeId, name, place }) => ({ knowledgeId, name, place }))
  return requestAssist(scope, context, { kind: 'suggest', messages: messages, hasCode: true, sources }, stream)
}

/** The customer's text since the last agent message; if there is none, their last messages. */
function lastCustomerText(lines: HistoryLine[]): string {
  const since = lines.slice(lines.findLastIndex(({ role: who }) => who === 'agent') + 1)
  const theirs = (all: HistoryLine[]) => all.filter(({ role: who }) => who === 'customer').map(({ text }) => text)
  const newest = theirs(since)
  return (newest.length ? newest : theirs(lines).slice(-1)).join('\n')
}

async function translateOut(
  scope: Scope,
  context: AssistContext,
  text: string,
  stream: AssistStream,
): Promise<AssistReply> {
  const { language } = await findContact(scope, context.ticket.contactId, false)
  const lines = language ? [] : await loadRecentMessages(scope, context.ticket, maxHistoryMessages.toTranslate)
  const messages = outgoingTranslationPrompt(text, language, lines)
  return requestAssist(
    scope,
    context,
    { kind: 'translate', messages: messages, hasCode: true, temperature: 0.2 },
    stream,
  )
}

async function translateIn(scope: Scope, context: AssistContext, stream: AssistStream): Promise<AssistReply> {
  const text = lastCustomerText(await loadRecentMessages(scope, context.ticket, maxHistoryMessages.toTranslate))
  if (!text) throw new AppError('ERR_ASSIST_EMPTY')
  const messages = incomingTranslationPrompt(text, scope.actor.language ?? (await loadCompanyContext(scope)).language)
  return requestAssist(
    scope,
    context,
    { kind: 'translate', messages: messages, hasCode: true, temperature: 0.2 },
    stream,
  )
}

/** Summarizes in the company's language, because colleagues read the summary. */
async function summarize(
  scope: Scope,
  context: AssistContext,
  { why, keep }: { why: 'transfer' | 'end'; keep: boolean },
  stream: AssistStream,
): Promise<AssistReply> {
  const lines = await loadRecentMessages(scope, context.ticket, maxHistoryMessages.toSum)
  if (!lines.length) throw new AppError('ERR_ASSIST_EMPTY')
  const messages = summaryPrompt(lines, (await loadCompanyContext(scope)).language, why)
  const answer = await requestAssist(scope, context, { kind: 'summary', messages: messages, temperature: 0.2 }, stream)
  const text = answer.text.slice(0, maxNoteLength)
  if (keep)
    await scope.transaction(async (tx) => {
      await addNote(tx, await findVisibleTicket(tx, context.ticket.id), text)
    })
  return { ...answer, text }
}

async function loadCompanyName(scope: Scope): Promise<string> {
  const row = await scope.db
    .selectFrom('companies')
    .select('name')
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  return row.name
}
