import { costOf } from '@recado/contract/machines/prices'
import { type TryReply, tryApi } from '@recado/contract/machines/prompts'
import { isMasked } from '@recado/contract/settings'
import type { z } from 'zod'
import { callById } from '../../directory/machines/calls.ts'
import { findKnowledge } from '../../directory/machines/knowledge/find.ts'
import type { Said, Usage } from '../../directory/machines/model/chat.ts'
import { ModelFailure } from '../../directory/machines/model/failure.ts'
import { isSamePlace, keyOf, type PromptRow, prompts } from '../../directory/machines/prompts.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/http.ts'
import { rulebookOf } from '../rulebook.ts'
import { factsOf } from './facts.ts'
import { linesOf, saidIn } from './history.ts'
import { modelOf } from './model-of.ts'
import { mostPieces } from './prompt.ts'
import { systemText } from './system.ts'
import { type TalkEnd, talk } from './talk.ts'

const timeoutMs = 25_000

type Tried = Pick<
  PromptRow,
  'prompt' | 'model' | 'maxTokens' | 'temperature' | 'queueId' | 'tools' | 'baseUrl' | 'maxMessages'
> & { id: number | null; key: () => string; customer: string }

/** A turn with a prompt that reaches nobody: no ticket, no message, no deed. What it would have done is told. */
async function rehearse(scope: Scope, tried: Tried, said: Said[]): Promise<TryReply> {
  const { baseUrl, model, key, id, customer } = tried
  const began = performance.now()
  let spent: Usage = { inputTokens: 0, outputTokens: 0 }
  const book = await rulebookOf(scope)
  const words = said.filter((one) => one.role === 'user').slice(-2)
  const question = words.map(({ content }) => (typeof content === 'string' ? content : '')).join(' ')
  const knowledge = id === null ? [] : await findKnowledge(scope, id, question.slice(0, 1000), mostPieces)
  const facts = await factsOf(scope, book, { customer, queueId: tried.queueId, knowledge })
  const system: Said = { role: 'system', content: systemText(tried.prompt, book, facts) }
  let error = ''
  let end = failed
  try {
    const asked = modelOf(scope, { baseUrl, key: key() }, { promptId: null, ticketId: null }, { timeoutMs })
    spent = asked.spent
    end = await talk(tried, [system, ...said], facts, asked.chat)
  } catch (failure) {
    if (!(failure instanceof ModelFailure)) throw failure
    error = failure.message
  }
  const { inputTokens: tokensIn, outputTokens: tokensOut } = spent
  return {
    say: end.next === 'person' && !end.say.length ? [book.wording.menu.toPerson] : end.say,
    deeds: end.wanted.map((one) => ({ tool: one.tool, with: one.with, ok: one.ok, name: one.name })),
    sources: knowledge.map(({ knowledgeId, name, place }) => ({ knowledgeId, name, place })),
    next: end.next,
    ...{ tokensIn, tokensOut, error },
    ms: Math.round(performance.now() - began),
    cost: costOf({ baseUrl, model, tokensIn, tokensOut }),
  }
}
/** As a customer would find it: people take over. */
const failed: TalkEnd = { say: [], wanted: [], tagIds: [], next: 'person', why: 'does-not-know', queueId: null }

type Draft = z.output<typeof tryApi.tryIt.body>

async function tryDraft(scope: Scope, { id, draft, turns }: Draft): Promise<TryReply> {
  const saved = id === undefined ? null : await prompts.stored(scope, id)
  const baseUrl = draft.baseUrl ?? saved?.baseUrl ?? ''
  const said = turns
    .slice(-draft.maxMessages)
    .map(({ from, text }): Said => ({ role: from === 'bot' ? 'assistant' : 'user', content: text }))
  const tools = draft.tools ?? saved?.tools ?? usualTools
  const key = keyFor(scope, saved, draft.apiKey, baseUrl)
  return rehearse(scope, { ...draft, tools, baseUrl, key, id: saved?.id ?? null, customer: '' }, said)
}
const usualTools = ['transfer_to_queue', 'transfer_to_person', 'set_tag'] as const satisfies PromptRow['tools']

/** A mask stands for the key that is there, and only where that key goes already: nobody gets at it by another address. */
function keyFor(scope: Scope, saved: PromptRow | null, given: string, baseUrl: string): () => string {
  if (!isMasked(given)) return () => given
  if (!saved || !isSamePlace(saved.baseUrl, baseUrl)) throw new AppError('ERR_VALIDATION', { apiKey: 'Required' })
  return () => keyOf(scope, saved)
}

/** The same question once more, to the prompt as it is now. Nobody hears it. */
async function tryAgain(scope: Scope, id: number, callId: number): Promise<TryReply> {
  const prompt = await prompts.stored(scope, id)
  const call = await callById(scope, callId)
  if (call?.promptId !== id || call.ticketId === null) throw new AppError('ERR_NOT_FOUND')
  const lines = await linesOf(scope, call.ticketId, prompt.maxMessages, call.at)
  const said = lines.map(saidIn).filter((one) => one.content !== '')
  return rehearse(scope, { ...prompt, key: () => keyOf(scope, prompt), customer: call.contactName }, said)
}

// Somebody else's machine is waited for in no transaction.
const outside = { transaction: false }
export const tryRoutes = [
  route(tryApi.tryIt, (scope, { body }) => tryDraft(scope, body), outside),
  route(tryApi.again, (scope, { params }) => tryAgain(scope, params.id, params.callId), outside),
]
