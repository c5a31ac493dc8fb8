import { countJsonValues, type JsonLimits } from './json-limits.ts'

/** Limits for responses of other systems: long texts are cheap to parse, many values are expensive. */
export const foreignJsonLimits: JsonLimits & { bytes: number } = {
  bytes: 256 * 1024,
  depth: 32,
  values: 4000,
  items: 4000,
  keys: 1000,
}

/** Parses a response of another system. A response above the limits fails like invalid JSON. */
export function parseForeignJson(answer: string | Uint8Array, limits: Partial<typeof foreignJsonLimits> = {}): unknown {
  const all = { ...foreignJsonLimits, ...limits }
  // Each character takes at least one byte, so a longer text need not be encoded to be refused.
  if (answer.length > all.bytes) throw new SyntaxError('more JSON than is read')
  const bytes = typeof answer === 'string' ? Buffer.from(answer) : answer
  if (bytes.length > all.bytes || countJsonValues(bytes, all) === null) throw new SyntaxError('more JSON than is read')
  return JSON.parse(typeof answer === 'string' ? answer : Buffer.from(answer).toString('utf8'))
}
