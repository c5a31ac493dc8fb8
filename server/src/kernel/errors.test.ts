import { expect, it } from 'vitest'
import { isConnectionLost, isTransientError } from './errors.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })

it('a disk without room passes, for files as for tables: who uploads is told to come back', () => {
  expect(
    ['ENOSPC', 'EDQUOT', '53100', '57P03', 'ECONNREFUSED'].filter((code) => !isTransientError(failure(code))),
  ).toEqual([])
  expect(['ENOENT', 'EACCES', '23505', '22P02'].filter((code) => isTransientError(failure(code)))).toEqual([])
})

it('a server that only reads, since another takes its place, passes too', () => {
  expect(isTransientError(failure('25006'))).toBe(true)
  expect(isTransientError(failure('25001'))).toBe(false)
})

it('a wire that went away leaves open what was done last; what the server itself says does not', () => {
  expect(['ECONNRESET', 'EPIPE', '08006', '57P01'].filter((code) => !isConnectionLost(failure(code)))).toEqual([])
  expect(isConnectionLost(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(
    ['40P01', '40001', '53100', '57P03', '23505', 'ENOSPC'].filter((code) => isConnectionLost(failure(code))),
  ).toEqual([])
})
