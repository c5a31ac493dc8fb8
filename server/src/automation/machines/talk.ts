import type { PromptTool } from '@recado/contract/machines/prompts'
import type { ChatAnswer, ChatQuestion, Said } from '../../directory/machines/model/chat.ts'
import { ModelFailure } from '../../directory/machines/model/failure.ts'
import { endedWell, forPhone, inParts } from './spoken.ts'
import { type Effect, toolsOf, type Wanted, type Within, wanted } from './tools.ts'

/** What of a prompt a conversation needs, saved or not. */
export type Draft = { model: string; maxTokens: number; temperature: number; tools: readonly PromptTool[] }

export type TalkEnd = {
  say: string[]
  wanted: Wanted[]
  tagIds: number[]
  /** Who has it from here on, and why. */
  next: 'machine' | 'person' | 'closed'
  why: 'answered' | 'handed-over' | 'wants-person' | 'does-not-know' | 'ended' | 'in-circles' | 'filtered'
  queueId: number | null
}

/** A model that keeps wanting things without saying anything is not asked for ever. */
const mostRounds = 4
const mostWanted = 5

type Ask = (question: ChatQuestion) => Promise<ChatAnswer>

/** One turn of a conversation: asks, does what may be done, and goes on until there is something to say or to be done. */
export async function talk(draft: Draft, said: Said[], within: Within, ask: Ask): Promise<TalkEnd> {
  const { tools: allowed, ...rest } = draft
  const tools = toolsOf(allowed, within)
  const all: Wanted[] = []
  let heard = said
  let text = ''
  for (let round = 1; round <= mostRounds; round++) {
    const answer = await whole({ ...rest, said: heard, tools }, ask)
    text = forPhone(answer.text) || text
    if (answer.finish === 'content_filter') return end('person', 'filtered', '', all)
    if (!answer.calls.length) return text ? end('machine', 'answered', text, all) : end('person', 'in-circles', '', all)
    const calls = answer.calls.slice(0, mostWanted)
    const outcomes = calls.map((call) => wanted(call, allowed, within))
    all.push(...outcomes)
    const last = outcomes.find(({ effect }) => effect && effect.kind !== 'tag')?.effect
    if (last) return leaving(last, text, all)
    heard = [
      ...heard,
      { role: 'assistant', content: answer.text, calls },
      ...calls.map((call, n): Said => ({ role: 'tool', callId: call.id, content: outcomes[n]?.told ?? '' })),
    ]
  }
  return text ? end('machine', 'answered', text, all) : end('person', 'in-circles', '', all)
}

/** An answer that was cut goes on once; what is still missing then ends with a sentence. */
async function whole(question: ChatQuestion, ask: Ask): Promise<ChatAnswer> {
  const answer = await ask(question)
  if (answer.finish !== 'length') return answer
  const goOn =
    'Your answer was cut off. Go on exactly where it stopped, without repeating anything, and come to an end.'
  const said: Said[] = [
    ...question.said,
    { role: 'assistant', content: answer.text },
    { role: 'system', content: goOn },
  ]
  // What was said counts, whether there is more or not.
  const more = await ask({ ...question, said }).catch((error: unknown) => {
    if (error instanceof ModelFailure) return null
    throw error
  })
  if (!more) return { ...answer, text: endedWell(answer.text) }
  const text = answer.text + more.text
  return { ...more, text: more.finish === 'length' ? endedWell(text) : text }
}

function leaving(effect: Effect, text: string, all: Wanted[]): TalkEnd {
  if (effect.kind === 'end') return end('closed', 'ended', text, all)
  if (effect.kind === 'queue') return { ...end('person', 'handed-over', text, all), queueId: effect.queueId }
  return end('person', effect.kind === 'person' ? effect.why : 'wants-person', text, all)
}

const end = (next: TalkEnd['next'], why: TalkEnd['why'], text: string, all: Wanted[]): TalkEnd => ({
  ...{ next, why, wanted: all, queueId: null },
  say: inParts(text),
  tagIds: [...new Set(all.flatMap(({ effect }) => (effect?.kind === 'tag' ? effect.tagId : [])))],
})
