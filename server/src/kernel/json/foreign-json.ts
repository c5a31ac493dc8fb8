import { countJsonValues, type JsonLimits } from './json-limits.ts'

/** What another system answers, at most: long texts cost little to parse, many values cost much. */
export const foreignJsonLimits: JsonLimits & { bytes: number } = {
  bytes: 256 * 1024,
  depth: 32,
  values: 4000,
  items: 4000,
  keys: 1000,
}

/** Parses what another system answered; one that is larger than its kind ever is fails as one that is no JSON. */
export function parseForeignJson(answer: string | Uint8Array, limits: Partial<typeof foreignJsonLimits> = {}): unknown {
  const all = { ...foreignJsonLimits, ...limits }
  // A letter takes a byte at least: what is longer than this is not even encoded.
  if (answer.length > all.bytes) throw new SyntaxError('more JSON than is read')
  const bytes = typeof answer === 'string' ? Buffer.from(answer) : answer
  if (bytes.length > all.bytes || countJsonValues(bytes, all) === null) throw new SyntaxError('more JSON than is read')
  return JSON.parse(typeof answer === 'string' ? answer : Buffer.from(answer).toString('utf8'))
}
