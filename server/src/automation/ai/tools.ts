import type { PromptTool } from '@recado/contract/ai/prompts'
import { fold } from '@recado/contract/text/fold'
import type { ModelTool, ToolCall } from '../../directory/ai/model/chat.ts'

export type NamedRecord = { id: number; name: string }
/** The queues and tags of this company: a model can name no others. */
export type ToolContext = { queues: NamedRecord[]; tags: NamedRecord[] }

/** The result of a tool call. `modelText`: the text returned to the model. */
export type ToolResult = {
  tool: string
  args: string
  ok: boolean
  name: string
  modelText: string
  effect: ToolEffect | null
}
export type ToolEffect =
  | { kind: 'queue'; queueId: number }
  | { kind: 'person'; why: 'wants-person' | 'does-not-know' }
  | { kind: 'tag'; tagId: number }
  | { kind: 'end' }

/** This tool is always offered: a model that cannot say "I do not know" makes something up. */
export const cannotAnswerTool = 'cannot_answer'
const maxNames = 100
const reasonParameter = { reason: { type: 'string', description: 'Why, in a few words, for the team.' } }

const isEmpty = (names: NamedRecord[]) => names.length === 0
const nameParameter = (field: string, names: NamedRecord[], description: string) => ({
  type: 'object',
  properties: { [field]: { type: 'string', enum: names.slice(0, maxNames).map((one) => one.name), description } },
  required: [field],
})
const reasonOnlyParameters = { type: 'object', properties: reasonParameter }

/** The tools this prompt may use, in the format of model APIs. */
export function describeTools(allowed: readonly PromptTool[], { queues, tags }: ToolContext): ModelTool[] {
  const toolsByName: Record<PromptTool, ModelTool | null> = {
    transfer_to_queue: isEmpty(queues)
      ? null
      : {
          name: 'transfer_to_queue',
          description: 'Hands the customer over to people of one department. The conversation with you ends.',
          parameters: nameParameter('queue', queues, 'The department.'),
        },
    transfer_to_person: {
      name: 'transfer_to_person',
      description:
        'Hands the customer over to a person, when they ask for one or need one. The conversation with you ends.',
      parameters: reasonOnlyParameters,
    },
    set_tag: isEmpty(tags)
      ? null
      : {
          name: 'set_tag',
          description: 'Puts a label on the conversation, for the team. The customer does not see it.',
          parameters: nameParameter('tag', tags, 'The label.'),
        },
    end_conversation: {
      name: 'end_conversation',
      description: 'Closes the conversation, when the customer has said that nothing is left to do.',
      parameters: reasonOnlyParameters,
    },
  }
  const unknowing = {
    name: cannotAnswerTool,
    description:
      'Say so when you do not know the answer or may not give it: a person will. The conversation with you ends.',
    parameters: reasonOnlyParameters,
  }
  return [...allowed.flatMap((name) => toolsByName[name] ?? []), unknowing]
}

/** Validates a tool call: the tool must be allowed, and the names must exist. */
export function checkToolCall(call: ToolCall, allowed: readonly PromptTool[], within: ToolContext): ToolResult {
  const callArgs = parseArguments(call)
  const base = { tool: call.name.slice(0, 60), args: call.arguments.slice(0, 500), name: '' }
  const refused = (modelText: string): ToolResult => ({ ...base, ok: false, modelText: modelText, effect: null })
  if (call.name === cannotAnswerTool) return toolSucceeded(base, { kind: 'person', why: 'does-not-know' })
  const tool = allowed.find((name) => name === call.name)
  if (!tool) return refused('There is no such tool here.')
  if (tool === 'transfer_to_person') return toolSucceeded(base, { kind: 'person', why: 'wants-person' })
  if (tool === 'end_conversation') return toolSucceeded(base, { kind: 'end' })
  const places = tool === 'transfer_to_queue' ? within.queues : within.tags
  const field = tool === 'transfer_to_queue' ? 'queue' : 'tag'
  const found = places.find((one) => fold(one.name) === fold(String(callArgs[field] ?? '')))
  if (!found) return refused(`There is none of that name. There are: ${places.map((one) => one.name).join(', ')}`)
  return toolSucceeded(
    { ...base, name: found.name },
    tool === 'transfer_to_queue' ? { kind: 'queue', queueId: found.id } : { kind: 'tag', tagId: found.id },
  )
}

const toolSucceeded = (base: Pick<ToolResult, 'tool' | 'args' | 'name'>, effect: ToolEffect): ToolResult => ({
  ...base,
  ok: true,
  modelText: 'Done.',
  effect,
})

function parseArguments({ arguments: callArgs }: ToolCall): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(callArgs.slice(0, 10_000) || '{}')
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
