import { fold } from '@recado/contract/text/fold'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findTextMatches } from './text-matches.ts'

const found = (text: string, words: string) =>
  findTextMatches(text, words).map(({ start, end }) => text.slice(start, end))

it('finds each place, whatever accents and capitals are there', () => {
  expect(found('La cañería, las CANERÍAS', 'cañeri')).toEqual(['cañerí', 'CANERÍ'])
  expect(found('Straße 5, strasse 6', 'STRASSE')).toEqual(['Straße', 'strasse'])
  expect(found('👍 sí, si\u0301', 'si')).toEqual(['sí', 'si'])
  expect([found('nada', 'x'), found('nada', '')]).toEqual([[], []])
})

it('what is found says, folded, what was looked for; places stand apart and in order', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'á', 'ß', 's', 'Ñ', ' ', '👍', '％', '.'), maxLength: 12 })
  fc.assert(
    fc.property(words, words, (text, looked) => {
      const places = findTextMatches(text, looked)
      expect(places.length > 0).toBe(fold(looked) !== '' && fold(text).includes(fold(looked)))
      let before = 0
      for (const { start, end } of places) {
        // A place may begin or end within a sign that stands for two.
        expect(fold(text.slice(start, end))).toContain(fold(looked))
        expect(end).toBeGreaterThan(start)
        expect(start).toBeGreaterThanOrEqual(before - 1)
        before = end
      }
    }),
  )
})
