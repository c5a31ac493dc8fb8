import { api } from './api.ts'
import { type ErrorCode, statusFor, statusOf } from './errors.ts'

const missing = Object.values(api).flatMap((section) => ('record' in section ? [section.record.missing] : []))

/** Every code with its status, those that records bring along too: for the API page and the tests. */
export const catalogue: Record<string, number> = Object.fromEntries(
  [...Object.keys(statusOf), ...missing].map((code) => [code, statusFor(code as ErrorCode)]),
)
