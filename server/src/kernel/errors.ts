import { type ErrorCode, type ErrorReply, httpStatusOf } from '@recado/contract/errors'

/** A refusal with a code of the catalogue. Any other thrown error is a bug and is answered with 500. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: ErrorReply['fields']
  /** Further fields for the response, for example who holds the ticket. */
  readonly details: object
  constructor(code: ErrorCode, fields?: ErrorReply['fields'], details: object = {}) {
    super(code)
    this.code = code
    this.fields = fields
    this.details = details
  }
  get status(): number {
    return httpStatusOf(this.code)
  }
}

type PgError = Error & { code: string; constraint?: string }
const isPgError = (error: unknown): error is PgError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)

/** Whether the database rolled this transaction back because of a deadlock. */
export const isDeadlock = (error: unknown): boolean => isPgError(error) && error.code === '40P01'

/** Whether a statement violated this unique key: another transaction stored the same value first. */
export const isDuplicateKey = (error: unknown, constraint: string): boolean =>
  isPgError(error) && error.code === '23505' && error.constraint === constraint

/** Runs `work`; a violated constraint named here becomes its error code. */
export async function translateConstraintErrors<T>(
  conflicts: Record<string, ErrorCode>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = isPgError(error) && error.constraint ? conflicts[error.constraint] : undefined
    throw code ? new AppError(code) : error
  }
}

/**
 * PostgreSQL error classes that are transient: rollbacks of concurrent transactions, lack of space, a server that
 * stops or starts, or is read-only during a failover (25006).
 */
const transientErrorCodes =
  /^(08|25006|40|53|55P03|57P|58)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOSPC|EDQUOT)$/
const transientErrorMessages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to|connect ENOENT |database "[^"]*" is not currently accepting)/

/** Whether a failure is transient, so that the same work may succeed later. Everything else fails again. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && transientErrorCodes.test(String(error.code))) || transientErrorMessages.test(error.message)
}

const connectionLostCodes = /^(08|57P0[1245])|^(ECONNRESET|EPIPE|ETIMEDOUT)$/
const connectionLostMessages = /^(Connection terminated|Client has encountered a connection error)/

/** Whether the database connection was lost, so that it is unknown whether the last statement was executed. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && connectionLostCodes.test(String(error.code))) || connectionLostMessages.test(error.message)
}

/** For `catch`: turns an `AppError` such as "not found" into null. Any other error is rethrown. */
export function nullIfAppError(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}
