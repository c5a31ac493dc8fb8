import { fold } from '@recado/contract/text/fold'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findTextMatches } from './text-matches.ts'

const matchesIn = (text: string, words: string) =>
  findTextMatches(text, words).map(({ start, end }) => text.slice(start, end))

it('finds each match regardless of accents and capitals', () => {
  expect(matchesIn('La cañería, las CANERÍAS', 'cañeri')).toEqual(['cañerí', 'CANERÍ'])
  expect(matchesIn('Straße 5, strasse 6', 'STRASSE')).toEqual(['Straße', 'strasse'])
  expect(matchesIn('👍 sí, si\u0301', 'si')).toEqual(['sí', 'si'])
  expect([matchesIn('nada', 'x'), matchesIn('nada', '')]).toEqual([[], []])
})

it('returns ordered, separate matches whose folded text is the query', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'á', 'ß', 's', 'Ñ', ' ', '👍', '％', '.'), maxLength: 12 })
  fc.assert(
    fc.property(words, words, (text, looked) => {
      const places = findTextMatches(text, looked)
      expect(places.length > 0).toBe(fold(looked) !== '' && fold(text).includes(fold(looked)))
      let before = 0
      for (const { start, end } of places) {
        // A match may begin or end within a character that folds into two characters, so it may contain more than the
        // query.
        expect(fold(text.slice(start, end))).toContain(fold(looked))
        expect(end).toBeGreaterThan(start)
        expect(start).toBeGreaterThanOrEqual(before - 1)
        before = end
      }
    }),
  )
})
