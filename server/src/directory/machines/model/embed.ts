import { z } from 'zod'
import type { Usage } from './chat.ts'
import { callModel, type Endpoint, jsonIn, type Waiting } from './endpoint.ts'
import { ModelFailure, withoutKey } from './failure.ts'

const Embedded = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()).min(1).max(8192) })),
  usage: z.object({ prompt_tokens: z.number().min(0) }).nullish(),
})

/** Where texts stand to each other: one row of numbers for each, in the order of the texts. */
export async function embed(
  endpoint: Endpoint,
  { model, texts }: { model: string; texts: string[] },
  waiting: Waiting,
): Promise<{ vectors: number[][]; usage: Usage }> {
  if (!texts.length) return { vectors: [], usage: { inputTokens: 0, outputTokens: 0 } }
  const body = JSON.stringify({ model, input: texts, encoding_format: 'float' })
  const sent = await callModel(endpoint, '/embeddings', { type: 'application/json', body }, waiting)
  const read = Embedded.safeParse(jsonIn(sent))
  const data = read.success ? read.data.data.toSorted((a, b) => a.index - b.index) : []
  const [first] = data
  const fits = data.length === texts.length && data.every((one, n) => one.index === n)
  if (!read.success || !first || !fits || data.some((one) => one.embedding.length !== first.embedding.length))
    throw new ModelFailure('nonsense', withoutKey(sent.body, endpoint.key))
  const inputTokens = read.data.usage?.prompt_tokens ?? Math.ceil(texts.join('').length / 4)
  return { vectors: data.map((one) => one.embedding), usage: { inputTokens, outputTokens: 0 } }
}
