import { expect, test } from 'vitest'
import { pickUnusedName } from './pick-unused-name.ts'

test('never gives a new test customer the name of another one, and numbers them only when no name is left', () => {
  const names = ['Lucía Campos', 'Rafael Lima']
  const taken: string[] = []
  for (let i = 0; i < 6; i++) taken.push(pickUnusedName(names, taken, 0.99))
  expect(taken).toEqual([
    'Rafael Lima',
    'Lucía Campos',
    'Rafael Campos',
    'Lucía Lima',
    'Rafael Lima 2',
    'Rafael Lima 3',
  ])
})
