import type { FieldProblem } from '@recado/contract/errors'
import type { ZodType, z } from 'zod'
import { useFieldProblemText } from '../lib/errors.ts'
import { buildSchema } from '../lib/lazy-schemas.ts'
import { useTexts } from '../lib/texts.ts'
import { zodSubset } from '../lib/zod-subset.ts'
import { recordTexts } from './texts.ts'

type Issue = z.core.$ZodIssue
/** A problem of spec section 5, with the violated limit if any. */
export type FieldProblemDetail = { kind: FieldProblem; limit?: number; of?: 'text' | 'number' }

/** Validation problems by input path, such as "name" or "options.0.name". */
export function findFieldProblems(schema: ZodType, values: unknown): Record<string, FieldProblemDetail> {
  const parsed = buildSchema(schema, zodSubset).safeParse(values)
  const found: Record<string, FieldProblemDetail> = {}
  for (const issue of parsed.error?.issues ?? []) {
    found[issue.path.join('.')] ??= isEmpty(values, issue.path) ? { kind: 'Required' } : problemOf(issue)
  }
  return found
}

/** Whether an input is empty: it is then reported as missing, regardless of other problems. */
function isEmpty(values: unknown, path: PropertyKey[]): boolean {
  const value = path.reduce<unknown>(
    (inside, key) => (inside as Record<PropertyKey, unknown> | undefined)?.[key],
    values,
  )
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

function problemOf(issue: Issue): FieldProblemDetail {
  if (issue.code === 'invalid_union') {
    // For a rule such as "empty or 5 to 50 letters", the branch with a length is reported.
    const branches = issue.errors.flat()
    const telling = branches.find((one) => one.code === 'too_small' || one.code === 'too_big') ?? branches.at(-1)
    return telling ? problemOf(telling) : { kind: 'Invalid' }
  }
  if (issue.code === 'too_small') return tooSmall(Number(issue.minimum), issue.origin)
  if (issue.code === 'too_big') {
    const of = issue.origin === 'string' ? 'text' : 'number'
    return { kind: of === 'text' ? 'Too Long!' : 'Invalid', limit: Number(issue.maximum), of }
  }
  if (issue.code === 'custom' && issue.params?.problem) return { kind: issue.params.problem as FieldProblem }
  if (issue.code === 'invalid_format') return { kind: issue.format === 'email' ? 'Invalid email' : 'Invalid' }
  return { kind: issue.code === 'invalid_type' ? 'Required' : 'Invalid' }
}

function tooSmall(limit: number, origin: string): FieldProblemDetail {
  if (origin !== 'string') return { kind: 'Invalid', limit, of: 'number' }
  return limit <= 1 ? { kind: 'Required' } : { kind: 'Too Short!', limit, of: 'text' }
}

/** The advice for a problem as text, with the limit if known. */
export function useFieldProblemWords(): (problem: FieldProblemDetail) => string {
  const plain = useFieldProblemText()
  const words = useTexts(recordTexts)
  return ({ kind, limit, of }) => {
    if (limit === undefined) return plain(kind)
    if (kind === 'Too Short!') return words.atLeast(limit)
    if (kind === 'Too Long!') return words.atMost(limit)
    return of === 'number' ? words.from(limit) : plain(kind)
  }
}
