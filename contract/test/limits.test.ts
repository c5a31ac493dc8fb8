import { expect, it } from 'vitest'
import type { z } from 'zod'
import { endpoints } from '../src/api.ts'
import { anyJson, bodyLimitBytes, bodyLimitOf, type Endpoint } from '../src/endpoint.ts'

type Schema = z.core.$ZodType
type Found = { path: string; what: string }

const inputs = (e: Endpoint) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const shape = e[part]
    return shape ? [{ name: `${e.method} ${e.path} ${part}`, shape: shape as Schema }] : []
  })

const defOf = (shape: Schema) => shape._zod.def as z.core.$ZodTypes['_zod']['def']
const checksOf = (shape: Schema) =>
  (defOf(shape).checks ?? []).map((c) => c._zod.def as unknown as Record<string, unknown>)
const maximumOf = (shape: Schema): number | undefined => {
  const checks = checksOf(shape)
  const length =
    checks.find((c) => c.check === 'max_length')?.maximum ?? checks.find((c) => c.check === 'length_equals')?.length
  return length as number | undefined
}
const metaOf = (shape: Schema): Record<string, unknown> => (shape as z.ZodType).meta?.() ?? {}

/** Whether the pattern's source contains an unbounded repetition. */
const isEndlessPattern = (pattern: RegExp) => /(?<!\\)[*+]|\{\d+,\}/.test(pattern.source.replace(/\[[^\]]*\]/g, 'x'))

function isBoundedText(shape: Schema): boolean {
  if (maximumOf(shape) !== undefined) return true
  const own = defOf(shape) as unknown as Record<string, unknown>
  const patterns = [own, ...checksOf(shape)].flatMap((c) => (c.pattern instanceof RegExp ? [c.pattern] : []))
  return patterns.some((pattern) => !isEndlessPattern(pattern))
}

/** Finds all parts of a schema without a maximum. `preprocess` may return anything, so the inner schema decides. */
function unbounded(shape: Schema, path: string, above: Schema[] = []): Found[] {
  if (above.includes(shape)) return []
  const below = [...above, shape]
  const def = defOf(shape)
  const missing = (what: string, isBounded: boolean): Found[] => (isBounded ? [] : [{ path, what }])
  switch (def.type) {
    case 'string':
      return missing('string', isBoundedText(shape))
    case 'array':
      return [...missing('array', maximumOf(shape) !== undefined), ...unbounded(def.element, `${path}[]`, below)]
    case 'record':
      return [
        ...missing('record', 'maxProperties' in metaOf(shape)),
        ...unbounded(def.keyType, `${path} key`, below),
        ...unbounded(def.valueType, `${path}{}`, below),
      ]
    case 'object':
      return [
        ...Object.entries(def.shape).flatMap(([key, inner]) => unbounded(inner, `${path}.${key}`, below)),
        ...(def.catchall && defOf(def.catchall).type !== 'never'
          ? [...missing('catchall', 'maxProperties' in metaOf(shape)), ...unbounded(def.catchall, `${path}{}`, below)]
          : []),
      ]
    case 'union':
      return def.options.flatMap((option) => unbounded(option, path, below))
    case 'intersection':
      return [def.left, def.right].flatMap((side) => unbounded(side, path, below))
    case 'tuple':
      return def.items.flatMap((item, at) => unbounded(item, `${path}[${at}]`, below))
    case 'pipe': {
      const sides = [def.in, def.out].filter((side) => defOf(side).type !== 'transform')
      // A bounded text stays bounded whatever it is transformed into.
      if (defOf(def.in).type === 'string' && isBoundedText(def.in)) return []
      return sides.flatMap((side) => unbounded(side, path, below))
    }
    case 'unknown':
    case 'any':
      return missing(def.type, shape === anyJson)
    case 'map':
    case 'set':
      return missing(def.type, false)
    default:
      return 'innerType' in def ? unbounded(def.innerType as Schema, path, below) : []
  }
}

it('sets a maximum for every text, list and dictionary in a request', () => {
  const found = endpoints.flatMap(inputs).flatMap(({ name, shape }) => unbounded(shape, name))
  expect(found.map(({ path, what }) => `${path}: ${what}`)).toEqual([])
})

/** Maximum bytes of the longest single text in a body, in alphabets with three bytes per letter. */
function longestText(shape: Schema, above: Schema[] = []): number {
  if (above.includes(shape)) return 0
  const below = [...above, shape]
  const def = defOf(shape)
  const longest = (all: Schema[]) => Math.max(0, ...all.map((one) => longestText(one, below)))
  if (def.type === 'string') return 3 * (maximumOf(shape) ?? 0)
  if (def.type === 'array') return longest([def.element])
  if (def.type === 'record') return longest([def.valueType])
  if (def.type === 'object') return longest(Object.values(def.shape))
  if (def.type === 'union') return longest([...def.options])
  if (def.type === 'pipe') return longest([def.in, def.out])
  return 'innerType' in def ? longest([def.innerType as Schema]) : 0
}

it('allows a body large enough for every text at its maximum length', () => {
  const short = endpoints.filter((e) => e.body && longestText(e.body as Schema) + 1024 > bodyLimitOf(e))
  // Texts of these bodies are base64url, one byte per character.
  const ascii = ['/auth/login/passkey']
  expect(short.map((e) => e.path).filter((path) => !ascii.includes(path))).toEqual([])
})

it('limits anonymous requests to a few kilobytes, except for payment providers', () => {
  const open = endpoints.filter((e) => e.access === 'public' && e.method !== 'GET')
  expect(open.length).toBeGreaterThan(10)
  const large = open.filter((e) => bodyLimitOf(e) > bodyLimitBytes.anonymous)
  expect(large.map((e) => e.path)).toEqual([
    '/subscription/webhook/:provider/:key',
    '/subscription/webhook/:provider/:key/pix',
  ])
  expect(large.every((e) => bodyLimitOf(e) <= bodyLimitBytes.form)).toBe(true)
})
