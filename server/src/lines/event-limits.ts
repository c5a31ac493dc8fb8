import type { InboundEvent } from './line.ts'

/** The maximum length of a text message, and the maximum number of cards that a phone sends at once. */
const maxTextChars = 65_536
const maxCards = 100

/** Limits an incoming event: texts are cut, and cards beyond the hundredth are left out. */
export function truncateEvent<E extends InboundEvent>(event: E): E {
  return isWithinLimits(event) ? event : (truncateValue(event) as E)
}

function isWithinLimits(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= maxTextChars
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true
  for (const key in value) {
    const one = (value as Record<string, unknown>)[key]
    if (!isWithinLimits(one) || (key === 'cards' && Array.isArray(one) && one.length > maxCards)) return false
  }
  return true
}

function truncateValue(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return value.slice(0, maxTextChars).toWellFormed()
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return (key === 'cards' ? value.slice(0, maxCards) : value).map((one) => truncateValue(one))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, truncateValue(one, name)]))
}

/** Maximum text written in one batch: escaping and sending more would block the event loop. */
const maxBatchChars = 256 * 1024

/** How many of the first items fit into one batch by number and length; at least one. */
export function countForBatch<T>(
  items: readonly T[],
  maxItems: number,
  textsOf: (item: T) => unknown = (one) => one,
): number {
  let length = 0
  for (let n = 0; n < items.length && n < maxItems; n++) {
    length += textLength(textsOf(items[n] as T))
    if (length > maxBatchChars) return Math.max(1, n)
  }
  return Math.min(items.length, maxItems)
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  if (ArrayBuffer.isView(value)) return value.byteLength
  let length = 0
  for (const key in value) length += textLength((value as Record<string, unknown>)[key])
  return length
}
