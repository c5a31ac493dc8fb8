import { type Prompt, type PromptTool, type PromptWrite, promptModels } from '@recado/contract/ai/prompts'

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

/** `example`: the instructions that a new prompt begins with. */
export const toPromptFormValues = (row: Prompt | null, example: string): PromptFormValues => ({
  name: row?.name ?? '',
  prompt: row?.prompt ?? example,
  queueId: row?.queueId ? String(row.queueId) : null,
  model: row?.model ?? promptModels[0],
  maxTokens: row?.maxTokens ?? 600,
  maxMessages: row?.maxMessages ?? 10,
  temperature: row?.temperature ?? 0.3,
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
