import type { PromptTool } from '@recado/contract/machines/prompts'
import { fold } from '@recado/contract/words/fold'
import type { Tool, ToolCall } from '../../directory/machines/model/chat.ts'

export type Named = { id: number; name: string }
/** What there is in this company, and nothing else: a model can name no other. */
export type Within = { queues: Named[]; tags: Named[] }

/** What came of something a model wanted. `told`: what it hears of it. */
export type Wanted = { tool: string; with: string; ok: boolean; name: string; told: string; effect: Effect | null }
export type Effect =
  | { kind: 'queue'; queueId: number }
  | { kind: 'person'; why: 'wants-person' | 'does-not-know' }
  | { kind: 'tag'; tagId: number }
  | { kind: 'end' }

/** Always there: a model that cannot say "I do not know" makes something up. */
export const cannotAnswer = 'cannot_answer'
const mostNames = 100
const reason = { reason: { type: 'string', description: 'Why, in a few words, for the team.' } }

const noWhere = (names: Named[]) => names.length === 0
const named = (field: string, names: Named[], description: string) => ({
  type: 'object',
  properties: { [field]: { type: 'string', enum: names.slice(0, mostNames).map((one) => one.name), description } },
  required: [field],
})
const free = { type: 'object', properties: reason }

/** What this prompt may do here, as models want it described. */
export function toolsOf(allowed: readonly PromptTool[], { queues, tags }: Within): Tool[] {
  const known: Record<PromptTool, Tool | null> = {
    transfer_to_queue: noWhere(queues)
      ? null
      : {
          name: 'transfer_to_queue',
          description: 'Hands the customer over to people of one department. The conversation with you ends.',
          parameters: named('queue', queues, 'The department.'),
        },
    transfer_to_person: {
      name: 'transfer_to_person',
      description:
        'Hands the customer over to a person, when they ask for one or need one. The conversation with you ends.',
      parameters: free,
    },
    set_tag: noWhere(tags)
      ? null
      : {
          name: 'set_tag',
          description: 'Puts a label on the conversation, for the team. The customer does not see it.',
          parameters: named('tag', tags, 'The label.'),
        },
    end_conversation: {
      name: 'end_conversation',
      description: 'Closes the conversation, when the customer has said that nothing is left to do.',
      parameters: free,
    },
  }
  const unknowing = {
    name: cannotAnswer,
    description:
      'Say so when you do not know the answer or may not give it: a person will. The conversation with you ends.',
    parameters: free,
  }
  return [...allowed.flatMap((name) => known[name] ?? []), unknowing]
}

/** Checks what a model wants against what it may and what there is. */
export function wanted(call: ToolCall, allowed: readonly PromptTool[], within: Within): Wanted {
  const given = argumentsOf(call)
  const base = { tool: call.name.slice(0, 60), with: call.arguments.slice(0, 500), name: '' }
  const refused = (told: string): Wanted => ({ ...base, ok: false, told, effect: null })
  if (call.name === cannotAnswer) return done(base, { kind: 'person', why: 'does-not-know' })
  const tool = allowed.find((name) => name === call.name)
  if (!tool) return refused('There is no such tool here.')
  if (tool === 'transfer_to_person') return done(base, { kind: 'person', why: 'wants-person' })
  if (tool === 'end_conversation') return done(base, { kind: 'end' })
  const places = tool === 'transfer_to_queue' ? within.queues : within.tags
  const field = tool === 'transfer_to_queue' ? 'queue' : 'tag'
  const found = places.find((one) => fold(one.name) === fold(String(given[field] ?? '')))
  if (!found) return refused(`There is none of that name. There are: ${places.map((one) => one.name).join(', ')}`)
  return done(
    { ...base, name: found.name },
    tool === 'transfer_to_queue' ? { kind: 'queue', queueId: found.id } : { kind: 'tag', tagId: found.id },
  )
}

const done = (base: Pick<Wanted, 'tool' | 'with' | 'name'>, effect: Effect): Wanted => ({
  ...base,
  ok: true,
  told: 'Done.',
  effect,
})

function argumentsOf({ arguments: given }: ToolCall): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(given.slice(0, 10_000) || '{}')
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
