import type { z } from 'zod'
import type { Endpoint } from '../src/endpoint.ts'

export const inputParts = ['params', 'query', 'body'] as const
export type InputPart = (typeof inputParts)[number]
/** A position in an endpoint's input that holds an id. `many`: the input is a list of ids. */
export type IdSlot = { place: InputPart; path: (string | typeof anyElement)[]; entity: string; many: boolean }
/** In a path: every element of a list or every value of a record. */
export const anyElement = Symbol('each')

type Def = {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  valueType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  left?: z.ZodType
  right?: z.ZodType
  options?: z.ZodType[]
  items?: z.ZodType[]
  rest?: z.ZodType | null
  getter?: () => z.ZodType
}
const defOf = (schema: z.ZodType) => schema.def as unknown as Def
const entityOf = (schema: z.ZodType) => schema.meta()?.entity as string | undefined

const leaves = new Set(
  'string number int boolean bigint symbol undefined null any unknown never void date nan enum literal file custom transform template_literal'.split(
    ' ',
  ),
)

/** The child schemas, each with its path step. Throws on unknown schema types, so that no id is missed. */
function innerSchemas(schema: z.ZodType): { step?: string | typeof anyElement; schema: z.ZodType }[] {
  const def = defOf(schema)
  if (leaves.has(def.type)) return []
  const wrapped = [def.innerType, def.in, def.out, def.left, def.right, def.getter?.(), ...(def.options ?? [])]
  const listed = [def.element, def.valueType, def.rest, ...(def.items ?? [])]
  const found = [
    ...Object.entries(def.shape ?? {}).map(([step, schema]) => ({ step, schema })),
    ...wrapped.flatMap((schema) => (schema ? [{ schema }] : [])),
    ...listed.flatMap((schema) => (schema ? [{ step: anyElement as typeof anyElement, schema }] : [])),
  ]
  if (!found.length && def.type !== 'object')
    throw new Error(`The walk through the contract does not know the zod kind "${def.type}"`)
  return found
}

const holdsList = (schema: z.ZodType): boolean =>
  defOf(schema).type === 'array' || innerSchemas(schema).some((i) => i.step === undefined && holdsList(i.schema))

/** Calls `visit` for the schema and all of its children; if `visit` returns true, the children are skipped. */
export function walkSchema(
  schema: z.ZodType,
  visit: (schema: z.ZodType, path: IdSlot['path']) => boolean | undefined,
  path: IdSlot['path'] = [],
): void {
  if (visit(schema, path)) return
  for (const { step, schema: part } of innerSchemas(schema))
    walkSchema(part, visit, step === undefined ? path : [...path, step])
}

/** All ids an endpoint accepts, at any position. */
export function findIdSlots(endpoint: Endpoint): IdSlot[] {
  const slots = new Map<string, IdSlot>()
  for (const place of inputParts) {
    const shape = endpoint[place]
    if (!shape) continue
    walkSchema(shape, (schema, path) => {
      const entity = entityOf(schema)
      if (!entity) return
      // A list is tagged as a whole (`[1,2]` as text in a query) or by its elements.
      const whole = path.at(-1) === anyElement ? path.slice(0, -1) : path
      slots.set(`${place}.${whole.map(String).join('.')}`, {
        place,
        path: whole,
        entity,
        many: whole !== path || holdsList(schema),
      })
      return true
    })
  }
  return [...slots.values()]
}

/** A number that an endpoint accepts, with the largest and smallest allowed values. */
export type NumberSlot = { place: InputPart; path: IdSlot['path']; limits: number[] }

/** All numbers an endpoint accepts that are not ids. Without a limit every safe integer is allowed. */
export function findNumberSlots(endpoint: Endpoint): NumberSlot[] {
  const slots: NumberSlot[] = []
  for (const place of inputParts) {
    const shape = endpoint[place]
    if (!shape) continue
    walkSchema(shape, (schema, path) => {
      if (entityOf(schema)) return true
      if (defOf(schema).type !== 'number') return
      const { minValue, maxValue } = schema as z.ZodNumber
      const limits = [minValue ?? Number.MIN_SAFE_INTEGER, maxValue ?? Number.MAX_SAFE_INTEGER]
      slots.push({
        place,
        path,
        limits: limits.map((n) => Math.min(Math.max(n, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)),
      })
      return
    })
  }
  return slots
}

/** Every named field of an endpoint's input, with its schema. */
export function findNamedFields(endpoint: Endpoint): { place: InputPart; name: string; schema: z.ZodType }[] {
  const found: { place: InputPart; name: string; schema: z.ZodType }[] = []
  for (const place of inputParts) {
    const shape = endpoint[place]
    if (shape) {
      walkSchema(shape, (schema) => {
        for (const [name, field] of Object.entries(defOf(schema).shape ?? {}))
          found.push({ place, name, schema: field })
        return undefined
      })
    }
  }
  return found
}

/** The keys of the outermost object of a shape. */
export function topLevelKeys(shape: z.ZodType | undefined): string[] {
  if (!shape) return []
  const keys: string[] = []
  walkSchema(shape, (schema, path) => {
    if (path.length) return true
    keys.push(...Object.keys(defOf(schema).shape ?? {}))
    return undefined
  })
  return keys
}
