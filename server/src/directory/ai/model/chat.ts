import { z } from 'zod'
import { parseForeignJson } from '../../../kernel/json/foreign-json.ts'
import { callModel, type ModelCallLimits, type ModelEndpoint, maxAnswerBytes } from './model-endpoint.ts'
import { ModelFailure, parseVendorError, redactKey } from './model-failure.ts'
import { makeSseReader } from './sse-reader.ts'

type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }
export type ToolCall = { id: string; name: string; arguments: string }
/** A message of a conversation, in order. */
export type ModelMessage =
  | { role: 'system' | 'user'; content: string | ContentPart[] }
  | { role: 'assistant'; content: string; calls?: ToolCall[] }
  | { role: 'tool'; callId: string; content: string }
/** A tool that a model may call; `parameters` is a JSON schema. */
export type ModelTool = { name: string; description: string; parameters: Record<string, unknown> }

export type ChatRequest = {
  model: string
  messages: ModelMessage[]
  tools?: ModelTool[]
  maxTokens: number
  temperature: number
  /** Called with each piece of text as it arrives. */
  onText?: (piece: string) => void
}
export type TokenUsage = { inputTokens: number; outputTokens: number }
export type ChatAnswer = {
  text: string
  calls: ToolCall[]
  /** `length`: the answer was truncated at `maxTokens`. */
  finish: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  usage: TokenUsage
}

/** Parameters that a model does not accept, by URL and model; found out from its errors. Kept in memory only. */
type Quirk = 'max_tokens' | 'temperature' | 'stream_options'
const quirks = new Map<string, Set<Quirk>>()
const maxKnownQuirks = 1000

/** Calls a model with OpenAI's chat completions API, at any URL. The answer is streamed. */
export async function completeChat(
  endpoint: ModelEndpoint,
  question: ChatRequest,
  waiting: ModelCallLimits,
): Promise<ChatAnswer> {
  const place = `${endpoint.address} ${question.model}`
  for (;;) {
    const known = quirks.get(place) ?? new Set<Quirk>()
    try {
      return await requestChat(endpoint, question, waiting, known)
    } catch (error) {
      const found = error instanceof ModelFailure && findQuirk(error)
      if (!found || known.has(found)) throw error
      for (const oldest of quirks.keys()) {
        if (quirks.size < maxKnownQuirks) break
        quirks.delete(oldest)
      }
      quirks.set(place, new Set([...known, found]))
    }
  }
}

/** Finds the parameter that was refused: reasoning models use other parameter names, and some servers support fewer. */
function findQuirk({ code, message }: ModelFailure): Quirk | undefined {
  if (code !== 'refused') return
  if (message.includes('max_completion_tokens')) return 'max_tokens'
  return (['temperature', 'stream_options'] as const).find((name) => message.includes(name))
}

async function requestChat(
  endpoint: ModelEndpoint,
  question: ChatRequest,
  waiting: ModelCallLimits,
  without: Set<Quirk>,
): Promise<ChatAnswer> {
  const reading = makeAnswerReader(endpoint.key, question.onText)
  const reader = makeSseReader(reading.event)
  // A server without streaming sends the whole answer; it is parsed at the end.
  let chunks: Buffer[] = []
  let wholeBytes = 0
  const onData = (piece: Buffer) => {
    reader.add(piece)
    if (reading.begun()) chunks = []
    else {
      chunks.push(piece)
      wholeBytes += piece.length
      if (wholeBytes > maxAnswerBytes) throw new ModelFailure('nonsense', 'the answer does not end')
    }
  }
  const body = JSON.stringify(buildBody(question, without))
  const asked = { type: 'application/json', body, onData }
  const sent = await callModel(endpoint, '/chat/completions', asked, waiting)
  reader.end()
  if (!reading.begun()) reading.whole(Buffer.concat(chunks).toString('utf8'))
  if (sent.isTruncated) throw new ModelFailure('nonsense', 'the answer does not end')
  return reading.answer(body.length)
}

const buildBody = ({ model, messages: said, tools, maxTokens, temperature }: ChatRequest, without: Set<Quirk>) => ({
  model,
  messages: said.map(toWireMessage),
  stream: true,
  ...(!without.has('stream_options') && { stream_options: { include_usage: true } }),
  ...(without.has('max_tokens') ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
  ...(!without.has('temperature') && { temperature }),
  ...(tools?.length && { tools: tools.map((one) => ({ type: 'function', function: one })) }),
})

function toWireMessage(one: ModelMessage): Record<string, unknown> {
  if (one.role === 'tool') return { role: 'tool', tool_call_id: one.callId, content: one.content }
  if (one.role !== 'assistant' || !one.calls?.length) return { role: one.role, content: one.content }
  const calls = one.calls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
  }))
  return { role: 'assistant', content: one.content || null, tool_calls: calls }
}

const maxCalls = 50
/** Limit for the characters of text and arguments together: several times more than we ever send to a customer. */
const maxAnswerChars = 200_000

const ChunkPart = z.object({
  content: z.string().nullish(),
  tool_calls: z
    .array(
      z.object({
        index: z
          .number()
          .int()
          .min(0)
          .max(maxCalls - 1)
          .nullish(),
        id: z.string().nullish(),
        function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
      }),
    )
    .max(maxCalls)
    .nullish(),
})
const Chunk = z.object({
  error: z.unknown().optional(),
  choices: z
    .array(z.object({ delta: ChunkPart.nullish(), message: ChunkPart.nullish(), finish_reason: z.string().nullish() }))
    .max(20)
    .nullish(),
  usage: z.object({ prompt_tokens: z.number().min(0), completion_tokens: z.number().min(0) }).nullish(),
})

/** Assembles a streamed answer. */
function makeAnswerReader(key: string, onText: ChatRequest['onText']) {
  let text = ''
  let finish: string | null = null
  let usage: TokenUsage | null = null
  let isBegun = false
  let isDone = false
  const calls: ToolCall[] = []
  let chars = 0

  /** Counts characters against the limit, whether streamed or not. */
  function count(piece: string): string {
    chars += piece.length
    if (chars > maxAnswerChars) throw new ModelFailure('nonsense', 'the answer does not end')
    return piece
  }
  function part({ content, tool_calls }: z.infer<typeof ChunkPart>): void {
    if (content) {
      text += count(content)
      onText?.(content)
    }
    for (const [n, given] of (tool_calls ?? []).entries()) {
      const at = given.index ?? n
      calls[at] ??= { id: '', name: '', arguments: '' }
      const call = calls[at]
      call.id ||= given.id ?? ''
      call.name += count(given.function?.name ?? '')
      call.arguments += count(given.function?.arguments ?? '')
    }
  }
  function take(json: string): void {
    const chunk = parseChunk(json)
    if (!chunk.success) throw new ModelFailure('nonsense', redactKey(json, key))
    const { choices, usage: used, error } = chunk.data
    if (error) throw new ModelFailure('model-down', redactKey(parseVendorError(json).message, key))
    for (const { delta, message, finish_reason } of choices?.slice(0, 1) ?? []) {
      const said = delta ?? message
      if (said) part(said)
      finish = finish_reason ?? finish
    }
    if (used) usage = { inputTokens: used.prompt_tokens, outputTokens: used.completion_tokens }
  }
  return {
    begun: () => isBegun,
    event(data: string): void {
      isBegun = true
      if (data.trim() === '[DONE]') isDone = true
      else take(data)
    },
    whole(body: string): void {
      take(body)
      isDone = true
    },
    answer(asked: number): ChatAnswer {
      if (!finish && !isDone) throw new ModelFailure('nonsense', 'the answer broke off')
      const wanted = calls.filter((call) => call?.name)
      if (!text.trim() && !wanted.length) throw new ModelFailure('nonsense', 'the answer is empty')
      // Some servers report no usage, so it is estimated: a token has four characters on average.
      const guessed = { inputTokens: Math.ceil(asked / 4), outputTokens: Math.ceil(text.length / 4) }
      return { text, calls: wanted, finish: toFinish(finish, wanted.length > 0), usage: usage ?? guessed }
    },
  }
}

function parseChunk(json: string) {
  try {
    return Chunk.safeParse(parseForeignJson(json, { values: 2000, items: 200 }))
  } catch {
    return Chunk.safeParse(undefined)
  }
}

function toFinish(said: string | null, calls: boolean): ChatAnswer['finish'] {
  if (calls) return 'tool_calls'
  return said === 'length' || said === 'content_filter' ? said : 'stop'
}
