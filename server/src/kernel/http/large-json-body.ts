import type { JsonLimits } from '../json/json-limits.ts'
import { smallJsonValues } from '../json/json-worker-pool.ts'

/** A JSON body that takes too long to parse here: the handler's side has it read in a thread. */
export class LargeJsonBody {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** Deeper and wider than anything a form sends: what has more only keeps the reader busy. */
const structureLimits = { depth: 32, keys: 2000 }
/** What is parsed on the event loop, in a few milliseconds at most. */
export const smallJsonLimits: JsonLimits = { ...structureLimits, values: smallJsonValues, items: smallJsonValues }

/** The shortest cells of a spreadsheet take some twenty bytes with their key; a body of nothing but `{},` takes three. */
const bytesPerValue = 16
/** What is parsed in a thread. */
export function limitsForLargeJson(bytes: number): JsonLimits {
  const values = Math.max(20_000, Math.ceil(bytes / bytesPerValue))
  return { ...structureLimits, values, items: values }
}
