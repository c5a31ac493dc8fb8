import { expect, it } from 'vitest'
import { isPassing } from './errors.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })

it('a disk without room passes, for files as for tables: who uploads is told to come back', () => {
  expect(['ENOSPC', 'EDQUOT', '53100', '57P03', 'ECONNREFUSED'].filter((code) => !isPassing(failure(code)))).toEqual([])
  expect(['ENOENT', 'EACCES', '23505', '22P02'].filter((code) => isPassing(failure(code)))).toEqual([])
})
