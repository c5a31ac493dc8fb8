import { expect, test } from 'vitest'
import { toRefusedRows } from './send-import-rows.ts'

test('finds a refused row by its position, also among people with the same name', () => {
  const person = (line: number, number: string) => ({ line, name: 'Vale', number, email: '', wrong: null })
  const chunk = [person(2, '1'), person(3, '2'), person(7, '3')]
  const error = { message: 'ERR_DUPLICATED_CONTACT', field: 'number' }
  expect(toRefusedRows(chunk, [{ contactName: 'Vale', row: 2, error }])).toEqual([
    { line: 3, name: 'Vale', number: '2', email: '', why: error },
  ])
})
