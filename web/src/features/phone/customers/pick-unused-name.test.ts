import { expect, test } from 'vitest'
import { pickUnusedName } from './pick-unused-name.ts'

test('never gives a new test customer the name of another one', () => {
  const names = ['Lucía', 'Rafael']
  const taken: string[] = []
  for (let i = 0; i < 5; i++) taken.push(pickUnusedName(names, taken, 0.99))
  expect(new Set(taken).size).toBe(5)
  expect(taken.slice(0, 3)).toEqual(['Rafael', 'Lucía', 'Rafael 2'])
})
