import { z } from 'zod'
import {
  bodyLimitBytes,
  crud,
  flag,
  get,
  idParams,
  isoDateTime,
  listQuery,
  pageReply,
  post,
  ref,
  requiredName,
  requiredText,
} from '../endpoint.ts'
import { ExternalCallPage, externalCallsQuery } from '../integrations/external-calls.ts'

/** Models offered in forms; any other name that the endpoint supports may be typed. */
export const promptModels = ['gpt-3.5-turbo-1106', 'gpt-4o-mini'] as const
/** What the form of a new prompt begins with, besides the model that the operator names. */
export const promptDefaults = { maxTokens: 600, temperature: 0.3, maxMessages: 10 } as const
/** Actions a prompt may take besides replying. */
export const promptTools = ['transfer_to_queue', 'transfer_to_person', 'set_tag', 'end_conversation'] as const
export type PromptTool = (typeof promptTools)[number]
/** The vendor's endpoint; any compatible endpoint can replace it. */
export const defaultAiBaseUrl = 'https://api.openai.com/v1'

const usageReferencesShape = {
  queues: z.array(z.object({ id: z.number(), name: z.string(), color: z.string() })),
  lines: z.array(z.object({ id: z.number(), name: z.string() })),
}
export const UsageReferences = z.object(usageReferencesShape)
export type UsageReferences = z.infer<typeof UsageReferences>

export const Prompt = z.object({
  id: z.number(),
  name: z.string(),
  prompt: z.string(),
  model: z.string(),
  maxTokens: z.number(),
  temperature: z.number(),
  /** A mask that shows only the last characters: keys never leave the server. Sending the mask back keeps the stored key. */
  apiKey: z.string(),
  maxMessages: z.number(),
  queueId: z.number().nullable(),
  queue: z.object({ id: z.number(), name: z.string(), color: z.string() }).nullable(),
  baseUrl: z.string(),
  tools: z.array(z.enum(promptTools)),
  canHear: z.boolean(),
  canSee: z.boolean(),
  /** The prompt also assists agents: it suggests, rewrites, translates and summarizes. */
  forAgents: z.boolean(),
  /** Maximum tokens per day over all conversations; 0: no limit. When the limit is reached, agents take over. */
  dailyTokens: z.number(),
  tokensToday: z.number(),
  usedBy: UsageReferences,
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type Prompt = z.infer<typeof Prompt>

const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const webAddress = z
  .string()
  .trim()
  .max(500)
  .refine((v) => v === '' || (URL.canParse(v) && /^https?:$/.test(new URL(v).protocol)))

const Write = z.object({
  name: requiredName(5, 100),
  prompt: requiredText(50, 20_000),
  /** Absent or empty: unchanged; the operator's model on create. */
  model: z.preprocess((v) => v || undefined, requiredText(1, 100).optional()),
  maxTokens: wholeNumber(1, 32_000),
  temperature: z.coerce
    .number()
    .min(0)
    .max(1)
    .transform((n) => Math.round(n * 10) / 10),
  apiKey: requiredText(1, 500),
  queueId: ref('queue'),
  maxMessages: wholeNumber(1, 100),
  /**
   * The fields from here on are optional: absent means unchanged, or the default on create. An empty `baseUrl` means
   * the vendor's endpoint.
   */
  baseUrl: webAddress.optional(),
  tools: z.array(z.enum(promptTools)).max(promptTools.length).optional(),
  canHear: flag.optional(),
  canSee: flag.optional(),
  forAgents: flag.optional(),
  dailyTokens: wholeNumber(0, 1_000_000_000).optional(),
})
/** Older clients may send `max_tokens`. */
const acceptSnakeCaseMaxTokens = (v: unknown) =>
  typeof v === 'object' && v !== null && 'max_tokens' in v && !('maxTokens' in v)
    ? { ...v, maxTokens: v.max_tokens }
    : v
export const PromptWrite = z.preprocess(acceptSnakeCaseMaxTokens, Write) as unknown as typeof Write
export type PromptWrite = z.output<typeof Write>

/** Replies, actions and cost of a draft in the test pane. */
export const PromptTryReply = z.object({
  say: z.array(z.string()),
  /** The tools that the AI called, in order, each with its argument and result. */
  deeds: z.array(z.object({ tool: z.string(), with: z.string(), ok: z.boolean(), name: z.string() })),
  sources: z.array(z.object({ knowledgeId: z.number(), name: z.string(), place: z.string() })),
  /** Who handles the conversation next: the AI, a person, or nobody. */
  next: z.enum(['machine', 'person', 'closed']),
  tokensIn: z.number(),
  tokensOut: z.number(),
  ms: z.number(),
  /** In US dollars; null when the model's price is unknown. */
  cost: z.number().nullable(),
  /** The reason of a failure, in the vendor's text; '' on success. */
  error: z.string(),
})
export type PromptTryReply = z.infer<typeof PromptTryReply>

const example = {
  name: 'Recepción',
  prompt: 'Eres la recepción de una tienda. Contesta con calma y en el idioma del cliente.',
  model: promptModels[0],
  maxTokens: 100,
  temperature: 1,
  apiKey: 'sk-example',
  queueId: 1,
  maxMessages: 10,
}
const plan = 'useOpenAi' as const
const access = 'prompts-page:edit' as const
const plain = crud({
  path: '/prompt',
  entity: 'prompt',
  plural: 'prompts',
  row: Prompt,
  search: ['name'],
  topic: { one: 'prompt', gone: 'promptId' },
  write: PromptWrite,
  example,
  read: access,
  edit: access,
  plan,
})
export const promptsApi = {
  ...plain,
  /** Queue and line forms read this list on every plan; without access to prompts it is empty. */
  list: get('/prompt', {
    about: 'A page of prompts; all of them without pageNumber. Empty if the caller may not manage them',
    access: 'session',
    query: listQuery.extend({ pageNumber: listQuery.shape.pageNumber.unwrap().optional() }),
    reply: pageReply('prompts', Prompt),
  }),
  defaults: get('/prompt/defaults', {
    about:
      'What a new prompt begins with: the model that the operator names (`AI_MODEL`), tokens, temperature, messages',
    access,
    plan,
    reply: z.object({
      model: z.string(),
      maxTokens: z.number(),
      temperature: z.number(),
      maxMessages: z.number(),
    }),
  }),
  calls: get('/prompt/:id/calls', {
    about: 'The latest requests to this prompt and its answers; newest first',
    access,
    plan,
    params: idParams('prompt'),
    query: externalCallsQuery,
    reply: ExternalCallPage,
  }),
}

/** Tests a draft before it is used in conversations. */
export const promptTriesApi = {
  tryIt: post('/prompt/try', {
    about: 'Try out a draft before it is saved: nothing is sent to anybody and no ticket is changed',
    bytes: bodyLimitBytes.list,
    access,
    plan,
    body: z.object({
      /** The saved prompt of the draft: its key is used in place of a masked key, and its knowledge is searched. */
      id: ref('prompt').optional(),
      draft: Write,
      turns: z
        .array(z.object({ from: z.enum(['customer', 'bot']), text: z.string().max(4096) }))
        .min(1)
        .max(100),
    }),
    example: { draft: example, turns: [{ from: 'customer' as const, text: 'hola' }] },
    reply: PromptTryReply,
  }),
  again: post('/prompt/:id/calls/:callId/again', {
    about:
      'Repeat the request of a ticket with the current version of the prompt: nothing is sent to anybody and no ticket is changed',
    access,
    plan,
    params: z.object({ id: ref('prompt'), callId: ref('machineCall') }),
    reply: PromptTryReply,
  }),
}
