import { z } from 'zod'
import type { JsonReadResult } from '../../../kernel/json/json-worker.ts'

/** Null: the answer does not have the expected shape. */
export type EmbeddingSummary = { inputTokens: number | null } | null

const EmbeddingReply = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()).min(1).max(8192) })).max(1000),
  usage: z.object({ prompt_tokens: z.number().min(0) }).nullish(),
})

/** Loaded by kernel/json/json-worker.ts for long answers. `count`: the number of texts sent. */
export default function readVectors(value: unknown, count: unknown): JsonReadResult<EmbeddingSummary, Float64Array> {
  const read = EmbeddingReply.safeParse(value)
  const data = read.success ? read.data.data.toSorted((a, b) => a.index - b.index) : []
  const [first] = data
  const fits = data.length === count && data.every((one, n) => one.index === n)
  if (!read.success || !first || !fits || data.some((one) => one.embedding.length !== first.embedding.length))
    return { head: null }
  const items = data.map((one) => Float64Array.from(one.embedding))
  return { head: { inputTokens: read.data.usage?.prompt_tokens ?? null }, items }
}
