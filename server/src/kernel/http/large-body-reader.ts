import { endpoints } from '@recado/contract/api'
import type { FieldProblem } from '@recado/contract/errors'
import { AppError } from '../errors.ts'
import type { JsonReadResult } from '../json/json-worker.ts'
import { validateInput } from './validation.ts'

/** The result of parsing a large body: the checked value (`items` for a list), or the invalid fields. */
export type LargeBodyResult =
  | { data: unknown }
  | { isList: true }
  | { problems: Record<string, FieldProblem> | undefined }

const bodySchemas = new Map(endpoints.map((e) => [`${e.method} ${e.path}`, e.body]))

/** Loaded by kernel/json/json-worker.ts. `endpoint`: method and path, as in the contract. */
export default function readBody(value: unknown, endpoint: unknown): JsonReadResult<LargeBodyResult> {
  try {
    const data = validateInput(bodySchemas.get(String(endpoint)), value)
    return Array.isArray(data) ? { head: { isList: true }, items: data } : { head: { data } }
  } catch (error) {
    if (error instanceof AppError) return { head: { problems: error.fields } }
    throw error
  }
}
