import { expect, test } from 'vitest'
import { foundBy } from './found-by.ts'

test('names without accents and case, telephones by their digits', () => {
  const lucia = { name: 'Lucía Campos', number: '5491155550000' }
  for (const typed of ['', 'lucia', 'CAMPOS', 'ía c', '+54 9 11', '5555-0000']) expect(foundBy(lucia, typed)).toBe(true)
  for (const typed of ['luz', '5555-0001', 'campos lucia']) expect(foundBy(lucia, typed)).toBe(false)
})
