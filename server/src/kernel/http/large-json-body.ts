import type { JsonLimits } from '../json/json-limits.ts'
import { smallJsonValues } from '../json/json-worker-pool.ts'

/** A JSON body that takes too long to parse on the event loop: it is parsed in a worker thread. */
export class LargeJsonBody {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/**
 * Limits of nesting and of keys: deeper and wider than any form's data, because a larger structure would only keep the
 * parser busy.
 */
const structureLimits = { depth: 32, keys: 2000 }
/** Limits for JSON that is parsed on the event loop, within a few milliseconds. */
export const smallJsonLimits: JsonLimits = { ...structureLimits, values: smallJsonValues, items: smallJsonValues }

/**
 * The bytes that one JSON value takes at least: the shortest spreadsheet cells take some twenty bytes with their key,
 * and a body of nothing but `{},` takes three.
 */
const bytesPerValue = 16
/** Limits for parsing in a worker thread. */
export function limitsForLargeJson(bytes: number): JsonLimits {
  const values = Math.max(20_000, Math.ceil(bytes / bytesPerValue))
  return { ...structureLimits, values, items: values }
}
