import { expect, test } from 'vitest'
import { askedAt, mentionedIn, namedIn, peopleFor } from './mentioning.ts'

const people = [
  { id: 1, name: 'Ana' },
  { id: 2, name: 'Ana López' },
  { id: 3, name: 'José Peña' },
]

test('what is typed after an @ asks for names, an address does not', () => {
  expect(askedAt('mira @', 6)).toEqual({ from: 5, query: '' })
  expect(askedAt('mira @an', 8)).toEqual({ from: 5, query: 'an' })
  expect(askedAt('mira @Ana L', 11)).toEqual({ from: 5, query: 'Ana L' })
  expect(askedAt('mira @an y más', 8)).toEqual({ from: 5, query: 'an' })
  expect(askedAt('@Ana López ', 11)).toBeNull()
  expect(askedAt('sol@recado', 10)).toBeNull()
  expect(askedAt('nada', 4)).toBeNull()
  expect(askedAt(`@${'x'.repeat(65_000)}`, 65_001)).toBeNull()
})

test('they are found by the beginning of each of their words', () => {
  expect(peopleFor(people, '').map((one) => one.id)).toEqual([1, 2, 3])
  expect(peopleFor(people, 'pena').map((one) => one.id)).toEqual([3])
  expect(peopleFor(people, 'ana l').map((one) => one.id)).toEqual([2])
  expect(peopleFor(people, 'z')).toEqual([])
})

test('a name is whole, the longer one first, and what is nobody stays a word', () => {
  expect(mentionedIn('@Ana López y @José Peña, @Ana López', people)).toEqual([2, 3])
  expect(mentionedIn('@Anahí, sol@Ana, @word', people)).toEqual([])
  expect(namedIn('mira @Ana, ya', people)).toEqual(['mira ', { named: people[0] }, ', ya'])
})
