import { expect, it } from 'vitest'
import { isConnectionLost, isTransientError } from './errors.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })

it('treats a full disk as transient, for files and tables, so that clients retry uploads', () => {
  expect(
    ['ENOSPC', 'EDQUOT', '53100', '57P03', 'ECONNREFUSED'].filter((code) => !isTransientError(failure(code))),
  ).toEqual([])
  expect(['ENOENT', 'EACCES', '23505', '22P02'].filter((code) => isTransientError(failure(code)))).toEqual([])
})

it('treats a read-only server during a failover as transient', () => {
  expect(isTransientError(failure('25006'))).toBe(true)
  expect(isTransientError(failure('25001'))).toBe(false)
})

it('treats a lost connection as an unknown outcome, but not an error from the server', () => {
  expect(['ECONNRESET', 'EPIPE', '08006', '57P01'].filter((code) => !isConnectionLost(failure(code)))).toEqual([])
  expect(isConnectionLost(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(
    ['40P01', '40001', '53100', '57P03', '23505', 'ENOSPC'].filter((code) => isConnectionLost(failure(code))),
  ).toEqual([])
})
