import type { InboundEvent } from './line.ts'

/** As long as a text message can be, and as many cards as a phone sends at once. */
const maxTextLength = 65_536
const maxCards = 100

/** What a line heard, without what is longer than anybody writes: texts are cut, and cards beyond the hundredth left out. */
export function boundEvent<E extends InboundEvent>(event: E): E {
  return isBounded(event) ? event : (cut(event) as E)
}

function isBounded(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= maxTextLength
  if (typeof value !== 'object' || value === null) return true
  for (const key in value) {
    const one = (value as Record<string, unknown>)[key]
    if (!isBounded(one) || (key === 'cards' && Array.isArray(one) && one.length > maxCards)) return false
  }
  return true
}

function cut(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return value.slice(0, maxTextLength).toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (key === 'cards' ? value.slice(0, maxCards) : value).map((one) => cut(one))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one, name)]))
}
