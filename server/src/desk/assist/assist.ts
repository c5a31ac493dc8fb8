import type { Assisted } from '@recado/contract/machines/assist'
import { usualBaseUrl } from '@recado/contract/machines/prompts'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { changeContact, findContact } from '../../directory/contacts/people.ts'
import { keepCall } from '../../directory/machines/calls.ts'
import { type ChatAnswer, chat, type Said } from '../../directory/machines/model/chat.ts'
import { ModelFailure } from '../../directory/machines/model/failure.ts'
import { countTokens, isSpent, keyOf, type PromptRow } from '../../directory/machines/prompts.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { ticketById } from '../tickets/view.ts'
import { withoutCode } from './instructions.ts'

export type Helper = { ticket: Ticket; prompt: PromptRow }
export type Listening = { say: (text: string) => void; signal: AbortSignal }
type Wanted = {
  /** What is done, for who reads the calls later. */
  kind: string
  said: Said[]
  /** The answer begins with the code of a language. */
  hasCode?: boolean
  sources?: Assisted['sources']
  /** Facts are not for fancy; a suggestion is as free as its prompt. */
  temperature?: number
}

const timeoutMs = 60_000
/** Whoever keeps a model short for customers does not mean its help for agents. */
const leastTokens = 800

/** The prompt that helps agents with this ticket: that of its queue, else the oldest that is marked. */
export async function promptFor(scope: Scope, ticket: Pick<Ticket, 'queueId'>): Promise<PromptRow | undefined> {
  return scope.db
    .selectFrom('prompts')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('forAgents', '=', true)
    .orderBy(sql`"queueId" is not distinct from ${ticket.queueId}::int`, 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** The ticket, which this person may see, and who helps with it. */
export async function helperFor(scope: Scope, ticketId: number): Promise<Helper> {
  const ticket = await ticketById(scope, ticketId)
  const prompt = await promptFor(scope, ticket)
  if (!prompt) throw new AppError('ERR_ASSIST_OFF')
  if (await isSpent(scope, prompt)) throw new AppError('ERR_ASSIST_SPENT')
  return { ticket, prompt }
}

/** Asks, in no transaction, and writes down what it cost. Nothing of it goes to the customer. */
export async function ask(scope: Scope, helper: Helper, wanted: Wanted, listening: Listening): Promise<Assisted> {
  const { prompt, ticket } = helper
  const endpoint = {
    outgoing: scope.means.outgoing,
    companyId: scope.companyId,
    address: prompt.baseUrl || usualBaseUrl,
    key: keyOf(scope, prompt),
  }
  const question = {
    model: prompt.model,
    said: wanted.said,
    maxTokens: Math.max(prompt.maxTokens, leastTokens),
    temperature: wanted.temperature ?? prompt.temperature,
    onText: wanted.hasCode ? afterCode(listening.say) : listening.say,
  }
  const began = performance.now()
  try {
    const answer = await chat(endpoint, question, { signal: listening.signal, timeoutMs })
    await keep(scope, helper, wanted, began, answer, '')
    const { language, text } = wanted.hasCode ? withoutCode(answer.text) : { language: null, text: answer.text.trim() }
    if (!text) throw new AppError('ERR_ASSIST_FAILED', undefined, { reason: 'nonsense' })
    if (language) await noteLanguage(scope, ticket.contactId, language)
    const { inputTokens, outputTokens } = answer.usage
    return { text, language, sources: wanted.sources ?? [], tokens: inputTokens + outputTokens }
  } catch (error) {
    if (error instanceof AppError) throw error
    const why = listening.signal.aborted ? 'cancelled' : error instanceof ModelFailure ? error.code : null
    if (!why) throw error
    await keep(scope, helper, wanted, began, null, error instanceof Error && why !== 'cancelled' ? error.message : why)
    throw new AppError('ERR_ASSIST_FAILED', undefined, { reason: why })
  }
}

async function keep(
  scope: Scope,
  { prompt, ticket }: Helper,
  { kind, said }: Wanted,
  began: number,
  answer: ChatAnswer | null,
  error: string,
): Promise<void> {
  const { inputTokens = 0, outputTokens = 0 } = answer?.usage ?? {}
  await scope.transaction(async (tx) => {
    await keepCall(tx, {
      ...{ kind: 'prompt', promptId: prompt.id, ticketId: ticket.id, ms: Math.round(performance.now() - began) },
      ...{ status: answer ? 200 : 0, ok: answer !== null, tokensIn: inputTokens, tokensOut: outputTokens },
      asked: `[${kind}] ${said.map((one) => (typeof one.content === 'string' ? one.content : '')).join('\n\n')}`,
      ...{ answered: answer?.text ?? '', error },
    })
    if (inputTokens + outputTokens > 0) await countTokens(tx, prompt.id, inputTokens + outputTokens)
  })
}

/** What comes in pieces, without the line that has the code. */
function afterCode(say: (text: string) => void): (piece: string) => void {
  let head: string | null = ''
  return (piece) => {
    if (head === null) return say(piece)
    head += piece
    if (!head.includes('\n') && head.length < 60) return
    const { language, text } = withoutCode(head)
    // What follows the code may end in a space that belongs there.
    const rest = language ? head.slice(head.indexOf('\n') + 1).replace(/^\s{1,20}/, '') : head
    head = null
    if (rest && text) say(rest)
  }
}

/** Two letters, or three where there are no two. */
async function noteLanguage(scope: Scope, contactId: number, language: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const contact = await findContact(tx, contactId)
    if (contact.language !== language && !contact.isGroup) await changeContact(tx, contactId, { language })
  })
}
