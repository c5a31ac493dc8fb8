import { planHas } from '../../accounts/plan-flags.ts'
import { tellResting } from '../../desk/notices.ts'
import { recall } from '../../directory/machines/knowledge/find.ts'
import { type FailureCode, ModelFailure } from '../../directory/machines/model/failure.ts'
import { isSpent, keyOf, type PromptRow } from '../../directory/machines/prompts.ts'
import { hours } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { type Asker, AskLater, AskRefusal, type Question } from '../asking/asker.ts'
import type { Act } from '../bots/bot.ts'
import type { MachineTurn } from '../bots/machine.ts'
import { homeOf } from '../rulebook.ts'
import { factsOf, tellChosen } from './facts.ts'
import { modelOf } from './model-of.ts'
import { perceive } from './senses.ts'
import { type KnownPiece, systemText } from './system.ts'
import { type TalkEnd, talk } from './talk.ts'
import { typingWhile } from './typing.ts'

export type PromptPace = {
  /** One call to the model may take so long. */
  callMs: number
}
const usual: PromptPace = { callMs: 25_000 }
/** Whoever asks us to wait longer is not waited for: the customer waits, too. */
const mostPatience = 20_000
/** So many pieces of what the company knows are read for each answer. */
export const mostPieces = 6

type Asked = Question<MachineTurn>

/** The model behind a prompt. What it is told is read anew each time: a key that was changed is used at once. */
export const makePrompt = (pace: PromptPace = usual): Asker<MachineTurn> => ({
  name: 'prompt',
  // A file may be on its way, an answer may need some rounds.
  patienceMs: 4 * pace.callMs,
  async answer(question) {
    const prompt = await promptById(question.scope, question.about.id)
    if (!prompt) throw new AskRefusal('the prompt was deleted')
    if (!(await planHas(question.scope, 'useOpenAi'))) throw new AskRefusal('the plan has no prompts')
    if (await isSpent(question.scope, prompt)) return toPerson(question, prompt, 'daily-limit')
    try {
      return await typingWhile(question, () => answered(question, prompt, pace.callMs))
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      if (toMend.includes(error.code)) await tellLeads(question, prompt.name)
      throw worthOf(error)
    }
  },
  home: async (scope, { id }) => (await promptById(scope, id))?.queueId ?? null,
})

/** What stays so until somebody does something about it. */
const toMend: readonly FailureCode[] = ['key-refused', 'no-credit', 'no-such-model', 'address-refused', 'resting']

/** Those who lead hear of it, once an hour: every customer of the prompt would tell them the same. */
const tellLeads = ({ scope, ticket }: Asked, name: string): Promise<void> =>
  scope.transaction(async (tx) => {
    const told = await tx.db
      .selectFrom('notices')
      .select('id')
      .where('companyId', '=', tx.companyId)
      .where('kind', '=', 'resting')
      .where('byName', '=', name)
      .where('createdAt', '>', new Date(tx.now().getTime() - hours(1)).toISOString())
      .limit(1)
      .executeTakeFirst()
    if (!told) await tellResting(tx, { ticketId: ticket.id, name })
  })

function worthOf(failure: ModelFailure): Error {
  const { again, afterMs, message } = failure
  if (!again || (afterMs ?? 0) > mostPatience) return new AskRefusal(message)
  return afterMs ? new AskLater(message, afterMs) : failure
}

async function answered(question: Asked, prompt: PromptRow, callMs: number): Promise<Act> {
  const { scope, about, ticket, book, signal } = question
  const model = modelOf(
    scope,
    { baseUrl: prompt.baseUrl, key: keyOf(scope, prompt) },
    { promptId: prompt.id, ticketId: ticket.id },
    { signal, timeoutMs: callMs },
  )
  const said = await perceive(scope, ticket.id, prompt, model.hear, signal)
  if (typeof said === 'string') return toPerson(question, prompt, said)
  const knowledge = await recall(scope, prompt.id, wordsFor(said), mostPieces)
  const facts = await factsOf(scope, book, { customer: ticket.contact.name, queueId: ticket.queueId, knowledge })
  const system = { role: 'system' as const, content: systemText(prompt.prompt, book, facts) }
  const end = await talk(prompt, [system, ...said, ...tellChosen(about, book, ticket)], facts, model.chat)
  return actOf(question, prompt, end, knowledge)
}

/** What the customer wants to know: their last words, with those before them for "and on Sundays?". */
const wordsFor = (said: { role: string; content: unknown }[]): string =>
  said
    .filter((one) => one.role === 'user')
    .slice(-2)
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join(' ')
    .slice(0, 1000)

function actOf(question: Asked, prompt: PromptRow, end: TalkEnd, knowledge: KnownPiece[]): Act {
  const sources = [...new Set(knowledge.map(({ name }) => name))].join(', ')
  const deeds = end.wanted.map(({ tool, name, ok }) => `${ok ? '' : '!'}${tool}${name && ` ${name}`}`).join(', ')
  const told = { prompt: prompt.name, ...(sources && { sources }), ...(deeds && { tools: deeds.slice(0, 300) }) }
  // What it says is wanted, even if it is what was said last: the customer asked again.
  const act = { bot: 'prompt', say: end.say, again: true as const, tagIds: end.tagIds }
  if (end.next === 'person') return { ...act, ...toPerson(question, prompt, end.why, end), with: told }
  const why = `machine-${end.why}`
  return end.next === 'closed' ? { ...act, why, with: told, ends: true } : { ...act, why, with: told }
}

/** People take over, in the queue that was chosen for it. The customer hears so, in the model's words or in ours. */
function toPerson(
  { ticket, line, book }: Asked,
  prompt: PromptRow,
  why: string,
  { say, queueId }: Pick<TalkEnd, 'say' | 'queueId'> = { say: [], queueId: null },
): Act {
  return {
    bot: 'prompt',
    why: `machine-${why}`,
    with: { prompt: prompt.name },
    say: say.length ? say : [book.wording.menu.toPerson],
    again: true,
    leaves: true,
    queueId: queueId ?? prompt.queueId ?? ticket.queueId ?? homeOf(line),
  }
}

const promptById = (scope: Scope, id: number): Promise<PromptRow | undefined> =>
  scope.db
    .selectFrom('prompts')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
