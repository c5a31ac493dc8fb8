import { defaultAiBaseUrl } from './prompts.ts'

/** US dollars per million tokens, input and output, from the vendor's price list. Used only for estimates. */
const pricesPerMillionTokens: Record<string, readonly [read: number, written: number]> = {
  'gpt-3.5-turbo-1106': [1, 2],
  'gpt-3.5-turbo': [0.5, 1.5],
  'gpt-4o': [2.5, 10],
  'gpt-4o-mini': [0.15, 0.6],
  'gpt-4.1': [2, 8],
  'gpt-4.1-mini': [0.4, 1.6],
  'gpt-4.1-nano': [0.1, 0.4],
  'gpt-5': [1.25, 10],
  'gpt-5-mini': [0.25, 2],
  'gpt-5-nano': [0.05, 0.4],
  'o4-mini': [1.1, 4.4],
}

type TokenUsage = { baseUrl: string; model: string; tokensIn: number; tokensOut: number }

/** Estimated cost in US dollars; null for a model with an unknown price, such as a self-hosted one. */
export function estimateCostUsd({ baseUrl, model, tokensIn, tokensOut }: TokenUsage): number | null {
  const isVendors = !baseUrl || baseUrl.replace(/\/{1,20}$/, '') === defaultAiBaseUrl
  // A model with a date in its name costs the same as the model without the date.
  const price = pricesPerMillionTokens[model] ?? pricesPerMillionTokens[model.replace(/-\d{4}-\d\d-\d\d$/, '')]
  return isVendors && price ? (tokensIn * price[0] + tokensOut * price[1]) / 1_000_000 : null
}
