import type { z } from 'zod'

type Schema = z.core.$ZodType
const schemaDef = (shape: Schema) => shape._zod.def as z.core.$ZodTypes['_zod']['def']

function maxLengthOf(shape: Schema): number {
  const checks = (schemaDef(shape).checks ?? []).map((c) => c._zod.def as { check?: string; maximum?: number })
  return checks.find((c) => c.check === 'max_length')?.maximum ?? 0
}
const hasPattern = (shape: Schema) =>
  'format' in schemaDef(shape) || (schemaDef(shape).checks ?? []).some((c) => 'pattern' in c._zod.def)

/**
 * A valid body made as large as its schema allows: texts of maximum length, lists with the maximum number of items.
 * `budget`: maximum bytes of the body.
 */
export function makeLargestBody(shape: Schema, honest: unknown, budget: number): unknown {
  let remaining = budget
  function grow(schema: Schema, value: unknown): unknown {
    const def = schemaDef(schema)
    if (def.type === 'pipe') return grow(schemaDef(def.in).type === 'transform' ? def.out : def.in, value)
    if ('innerType' in def) return value === null || value === undefined ? value : grow(def.innerType as Schema, value)
    if (def.type === 'string' && typeof value === 'string' && !hasPattern(schema)) {
      const room = Math.min(maxLengthOf(schema) - value.length, remaining)
      if (room <= 0) return value
      remaining -= room
      return value + 'palabra y signo. '.repeat(Math.ceil(room / 17)).slice(0, room)
    }
    if (def.type === 'array' && Array.isArray(value) && value.length) {
      const items: unknown[] = []
      const most = maxLengthOf(schema)
      while (items.length < most && remaining > 0) {
        const item = grow(def.element, structuredClone(value[items.length % value.length]))
        remaining -= JSON.stringify(item)?.length ?? 0
        items.push(item)
      }
      return items
    }
    if (def.type === 'object' && typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, def.shape[key] ? grow(def.shape[key], one) : one]),
      )
    if (def.type === 'union' && value !== undefined)
      return grow(
        def.options.find((o) => (o as z.ZodType).safeParse(value).success) ?? (def.options[0] as Schema),
        value,
      )
    return value
  }
  return grow(shape, structuredClone(honest))
}
