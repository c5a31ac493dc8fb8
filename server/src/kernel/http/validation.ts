import type { FieldProblem } from '@recado/contract/errors'
import type { core, ZodError, ZodType } from 'zod'
import { toStorableJson } from '../data/storable-json.ts'
import { AppError } from '../errors.ts'

/** No form marks more fields than this; a response that lists thousands would cost more than the call. */
const maxProblems = 50

/** Returns the input in its shape, or refuses it with the names of the invalid fields. */
export function validateInput(shape: ZodType | undefined, input: unknown): unknown {
  if (!shape) return undefined
  const overlong = overlongList(shape, input)
  if (overlong !== undefined) throw new AppError('ERR_VALIDATION', { [overlong]: 'Too Long!' })
  const parsed = parseInput(shape, input)
  if (!parsed.success) throw new AppError('ERR_VALIDATION', listFieldProblems(parsed.error, input))
  return parsed.data
}

/**
 * Finds a list longer than its shape allows. zod checks every item before it counts them, and stores a problem for each,
 * so the items are counted first.
 */
function overlongList(shape: core.$ZodType, value: unknown, path: string[] = []): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const def = shape._zod.def as core.$ZodTypes['_zod']['def']
  if (def.type === 'array' && Array.isArray(value)) {
    if (value.length > maxItems(def)) return path.join('.')
    if (def.element._zod.def.type !== 'array' && def.element._zod.def.type !== 'object') return undefined
    return firstFound(value.entries(), ([at, item]) => overlongList(def.element, item, [...path, String(at)]))
  }
  if (def.type === 'object')
    return firstFound(Object.entries(def.shape), ([key, inner]) =>
      overlongList(inner, (value as Record<string, unknown>)[key], [...path, key]),
    )
  if (def.type === 'pipe') return overlongList(def.out, value, path)
  return 'innerType' in def ? overlongList(def.innerType, value, path) : undefined
}

function maxItems({ checks = [] }: core.$ZodArrayDef): number {
  const maxima = checks.map(({ _zod: { def } }) => (def as { maximum?: number }).maximum ?? Number.POSITIVE_INFINITY)
  return Math.min(...maxima, Number.POSITIVE_INFINITY)
}

function firstFound<T, R>(all: Iterable<T>, look: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = look(one)
    if (found !== undefined) return found
  }
  return undefined
}

function parseInput(shape: ZodType, input: unknown) {
  try {
    const { value, hadNul } = toStorableJson(input)
    // A NUL is refused: no regular client sends one.
    if (hadNul) throw new AppError('ERR_VALIDATION')
    return shape.safeParse(value, { reportInput: true })
  } catch {
    // Objects that pose as text (`{"toString": 1}`) or nest endlessly make the parsing itself fail, so they are
    // refused.
    throw new AppError('ERR_VALIDATION')
  }
}

/** Field -> one of the form messages of the spec. */
export function listFieldProblems(error: ZodError, input?: unknown): Record<string, FieldProblem> {
  const found: Record<string, FieldProblem> = {}
  for (const issue of error.issues.slice(0, maxProblems))
    found[issue.path.join('.').slice(0, 200)] ??= isAbsent(input, issue.path) ? 'Required' : toFieldProblem(issue)
  return found
}
/** Whether the caller sent nothing for this field. A number is coerced before it is checked, so the issue cannot tell. */
function isAbsent(input: unknown, path: PropertyKey[]): boolean {
  const [last] = path.slice(-1)
  const holder = path.slice(0, -1).reduce<unknown>((value, step) => readField(value, step), input)
  return last !== undefined && isObject(holder) && !Array.isArray(holder) && readField(holder, last) === undefined
}
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const readField = (value: unknown, key: PropertyKey): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

function toFieldProblem(issue: ZodError['issues'][number]): FieldProblem {
  const empty = issue.input === undefined || issue.input === null || issue.input === ''
  if (empty || (issue.code === 'too_small' && issue.minimum === 1)) return 'Required'
  if (issue.code === 'too_small') return 'Too Short!'
  if (issue.code === 'too_big') return 'Too Long!'
  if (issue.code === 'custom' && issue.params?.problem) return issue.params.problem as FieldProblem
  return issue.code === 'invalid_format' && issue.format === 'email' ? 'Invalid email' : 'Invalid'
}
