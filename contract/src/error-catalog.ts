import { api } from './api.ts'
import { type ErrorCode, errorStatuses, httpStatusOf } from './errors.ts'

const notFoundCodes = Object.values(api).flatMap((section) => ('record' in section ? [section.record.missing] : []))

/** Every code with its status, including those of records: for the API page and the tests. */
export const errorCatalog: Record<string, number> = Object.fromEntries(
  [...Object.keys(errorStatuses), ...notFoundCodes].map((code) => [code, httpStatusOf(code as ErrorCode)]),
)
