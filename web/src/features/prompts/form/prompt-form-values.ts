import type { Prompt, PromptTool, PromptWrite, promptsApi } from '@recado/contract/ai/prompts'
import type { Reply } from '@recado/contract/endpoint'

type OptionalNumber = number | ''
export type PromptFormValues = {
  name: string
  prompt: string
  queueId: string | null
  model: string
  maxTokens: OptionalNumber
  maxMessages: OptionalNumber
  temperature: number
  /** The mask of the stored key, until another key is typed. */
  apiKey: string
  baseUrl: string
  tools: PromptTool[]
  canHear: boolean
  canSee: boolean
  forAgents: boolean
  dailyTokens: OptionalNumber
}

export type PromptDefaults = Reply<typeof promptsApi.defaults>

/** `example` and `defaults`: what a new prompt begins with. */
export const toPromptFormValues = (
  row: Prompt | null,
  example: string,
  defaults: PromptDefaults,
): PromptFormValues => ({
  name: row?.name ?? '',
  prompt: row?.prompt ?? example,
  queueId: row?.queueId ? String(row.queueId) : null,
  model: row?.model ?? defaults.model,
  maxTokens: row?.maxTokens ?? defaults.maxTokens,
  maxMessages: row?.maxMessages ?? defaults.maxMessages,
  temperature: row?.temperature ?? defaults.temperature,
  apiKey: row?.apiKey ?? '',
  baseUrl: row?.baseUrl ?? '',
  tools: row?.tools ?? ['transfer_to_queue', 'transfer_to_person', 'set_tag'],
  canHear: row?.canHear ?? false,
  canSee: row?.canSee ?? false,
  forAgents: row?.forAgents ?? false,
  dailyTokens: row?.dailyTokens ?? 0,
})

/** The request body. An empty limit means no limit. */
export const toPromptBody = (values: PromptFormValues): PromptWrite => ({
  ...values,
  queueId: Number(values.queueId),
  maxTokens: Number(values.maxTokens),
  maxMessages: Number(values.maxMessages),
  dailyTokens: Number(values.dailyTokens),
})
