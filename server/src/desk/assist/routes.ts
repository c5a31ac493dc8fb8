import { type Assisted, assistApi } from '@recado/contract/machines/assist'
import { findContact } from '../../directory/contacts/people.ts'
import { recall } from '../../directory/machines/knowledge/find.ts'
import { type Clock, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Exchange, type Route, route } from '../../kernel/http/http.ts'
import { makeLimit } from '../../kernel/http/limits.ts'
import { inLines } from '../../kernel/http/lines.ts'
import { momentOf } from '../moment.ts'
import { addNote } from '../notes.ts'
import { ticketById } from '../tickets/view.ts'
import { ask, type Helper, helperFor, type Listening, promptFor } from './assist.ts'
import { type Line, lastLines } from './history.ts'
import { rewriting, suggesting, summarising, translatingIn, translatingOut } from './instructions.ts'

/** More than anybody presses, and few enough that a key held down costs little. */
const limit = { tries: 30, window: minutes(1) }
const mostPieces = 5
/** So many messages are read, the newest. */
const most = { toAnswer: 20, toTranslate: 12, toSum: 120 }
const longestNote = 4000

type Work = (helper: Helper, listening: Listening) => Promise<Assisted>

/** What a machine does for agents. Each checks that they may see the ticket, and is asked in no transaction. */
export function assistRoutes(clock: Clock): Route[] {
  const presses = makeLimit(clock, limit)
  const own = { transaction: false }
  const helping = (scope: Scope, ticketId: number, exchange: Exchange, work: Work): Promise<Assisted> => {
    const who = `${scope.companyId} ${scope.actor.id}`
    presses.check(who)
    presses.count(who)
    return inLines(exchange, async (say, signal) => work(await helperFor(scope, ticketId), { say, signal }))
  }
  return [
    route(assistApi.state, async (scope, { params }) => {
      const ticket = await ticketById(scope, params.ticketId)
      const on = scope.plan.useOpenAi === true && (await promptFor(scope, ticket)) !== undefined
      return { on, language: (await findContact(scope, ticket.contactId, false)).language }
    }),
    route(
      assistApi.suggest,
      (scope, { params, body }, exchange) =>
        helping(scope, params.ticketId, exchange, (helper, listening) => suggest(scope, helper, body.draft, listening)),
      own,
    ),
    route(
      assistApi.rewrite,
      (scope, { params, body }, exchange) =>
        helping(scope, params.ticketId, exchange, (helper, listening) =>
          ask(
            scope,
            helper,
            { kind: body.manner, said: rewriting(body.manner, body.text), temperature: 0.3 },
            listening,
          ),
        ),
      own,
    ),
    route(
      assistApi.translate,
      (scope, { params, body }, exchange) =>
        helping(scope, params.ticketId, exchange, (helper, listening) =>
          body.way === 'out'
            ? translateOut(scope, helper, body.text, listening)
            : translateIn(scope, helper, listening),
        ),
      own,
    ),
    route(
      assistApi.summarise,
      (scope, { params, body }, exchange) =>
        helping(scope, params.ticketId, exchange, (helper, listening) => summarise(scope, helper, body, listening)),
      own,
    ),
  ]
}

async function suggest(scope: Scope, helper: Helper, draft: string, listening: Listening): Promise<Assisted> {
  const { ticket, prompt } = helper
  const lines = await lastLines(scope, ticket, most.toAnswer)
  const pieces = await recall(scope, prompt.id, `${draft} ${askedLast(lines)}`, mostPieces)
  const said = suggesting({
    ...{ prompt: prompt.prompt, company: await companyOf(scope), agent: scope.actor.name, lines, draft },
    pieces: pieces.map(({ name, place, heading, text }) => ({
      source: `${name}, ${place}`,
      text: [heading, text].filter(Boolean).join('\n'),
    })),
  })
  const sources = pieces.map(({ knowledgeId, name, place }) => ({ knowledgeId, name, place }))
  return ask(scope, helper, { kind: 'suggest', said, hasCode: true, sources }, listening)
}

/** What the customer wrote since we last did; where they did not, what they wrote last. */
function askedLast(lines: Line[]): string {
  const since = lines.slice(lines.findLastIndex(({ who }) => who === 'agent') + 1)
  const theirs = (all: Line[]) => all.filter(({ who }) => who === 'customer').map(({ text }) => text)
  const newest = theirs(since)
  return (newest.length ? newest : theirs(lines).slice(-1)).join('\n')
}

async function translateOut(scope: Scope, helper: Helper, text: string, listening: Listening): Promise<Assisted> {
  const { language } = await findContact(scope, helper.ticket.contactId, false)
  const lines = language ? [] : await lastLines(scope, helper.ticket, most.toTranslate)
  const said = translatingOut(text, language, lines)
  return ask(scope, helper, { kind: 'translate', said, hasCode: true, temperature: 0.2 }, listening)
}

async function translateIn(scope: Scope, helper: Helper, listening: Listening): Promise<Assisted> {
  const text = askedLast(await lastLines(scope, helper.ticket, most.toTranslate))
  if (!text) throw new AppError('ERR_ASSIST_EMPTY')
  const said = translatingIn(text, scope.actor.language ?? (await momentOf(scope)).language)
  return ask(scope, helper, { kind: 'translate', said, hasCode: true, temperature: 0.2 }, listening)
}

/** In the company's language: colleagues read it. */
async function summarise(
  scope: Scope,
  helper: Helper,
  { why, keep }: { why: 'transfer' | 'end'; keep: boolean },
  listening: Listening,
): Promise<Assisted> {
  const lines = await lastLines(scope, helper.ticket, most.toSum)
  if (!lines.length) throw new AppError('ERR_ASSIST_EMPTY')
  const said = summarising(lines, (await momentOf(scope)).language, why)
  const answer = await ask(scope, helper, { kind: 'summary', said, temperature: 0.2 }, listening)
  const text = answer.text.slice(0, longestNote)
  if (keep)
    await scope.transaction(async (tx) => {
      await addNote(tx, await ticketById(tx, helper.ticket.id), text)
    })
  return { ...answer, text }
}

async function companyOf(scope: Scope): Promise<string> {
  const row = await scope.db
    .selectFrom('companies')
    .select('name')
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  return row.name
}
