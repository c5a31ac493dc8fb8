import { readJson } from '../../../kernel/json/json-worker-pool.ts'
import type { TokenUsage } from './chat.ts'
import readVectors from './embedding-reader.ts'
import { callModel, type ModelCallLimits, type ModelEndpoint } from './model-endpoint.ts'
import { ModelFailure, redactKey } from './model-failure.ts'

/** Enough for the vectors of a hundred texts as JSON. */
const maxBytes = 8 * 1024 * 1024
const replyLimits = { depth: 8, keys: 100, items: 8192, values: 1_000_000 }
const embeddingReader = { url: new URL('./embedding-reader.ts', import.meta.url), read: readVectors }

/** Embeddings: one vector per text, in the order of the texts. */
export async function embedTexts(
  endpoint: ModelEndpoint,
  { model, texts }: { model: string; texts: string[] },
  waiting: ModelCallLimits,
): Promise<{ vectors: number[][]; usage: TokenUsage }> {
  if (!texts.length) return { vectors: [], usage: { inputTokens: 0, outputTokens: 0 } }
  const body = JSON.stringify({ model, input: texts, encoding_format: 'float' })
  const asked = { type: 'application/json', body, mostBytes: maxBytes }
  const { bytes } = await callModel(endpoint, '/embeddings', asked, waiting)
  const { head, items = [] } = await readJson(
    endpoint.companyId,
    bytes,
    embeddingReader,
    replyLimits,
    texts.length,
  ).catch(() => ({
    head: null,
    items: [],
  }))
  if (!head) throw new ModelFailure('nonsense', redactKey(bytes.toString('utf8', 0, 2000), endpoint.key))
  const inputTokens = head.inputTokens ?? Math.ceil(texts.join('').length / 4)
  return { vectors: items.map((one) => Array.from(one)), usage: { inputTokens, outputTokens: 0 } }
}
