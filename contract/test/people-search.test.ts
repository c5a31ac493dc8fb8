import { expect, it } from 'vitest'
import { isSearchMatch, splitSearchTerms } from '../src/text/people-search.ts'

it('finds people by name, number and email, ignoring accents and case, with words in any order', () => {
  const lucia = { name: 'Lucía Campos', number: '5491155550000', email: 'LuCampos@mail.example' }
  for (const typed of ['', 'lucia', 'CAMPOS', 'campos  lucía', '+54 9 11', '5555-0000', 'lucampos@mail', '5555 luc'])
    expect(isSearchMatch(lucia, typed), typed).toBe(true)
  for (const typed of ['luz', '5555-0001', 'campos marta']) expect(isSearchMatch(lucia, typed), typed).toBe(false)
  expect(splitSearchTerms('(11) 5555-0000')).toEqual(['1155550000'])
})
