import { expect, test } from 'vitest'
import { filterPeople, findMentionedIds, findMentionQuery, splitMentions } from './mention-text.ts'

const people = [
  { id: 1, name: 'Ana' },
  { id: 2, name: 'Ana López' },
  { id: 3, name: 'José Peña' },
]

test('what is typed after an @ asks for names, an address does not', () => {
  expect(findMentionQuery('mira @', 6)).toEqual({ from: 5, query: '' })
  expect(findMentionQuery('mira @an', 8)).toEqual({ from: 5, query: 'an' })
  expect(findMentionQuery('mira @Ana L', 11)).toEqual({ from: 5, query: 'Ana L' })
  expect(findMentionQuery('mira @an y más', 8)).toEqual({ from: 5, query: 'an' })
  expect(findMentionQuery('@Ana López ', 11)).toBeNull()
  expect(findMentionQuery('sol@recado', 10)).toBeNull()
  expect(findMentionQuery('nada', 4)).toBeNull()
  expect(findMentionQuery(`@${'x'.repeat(65_000)}`, 65_001)).toBeNull()
})

test('they are found by the beginning of each of their words', () => {
  expect(filterPeople(people, '').map((one) => one.id)).toEqual([1, 2, 3])
  expect(filterPeople(people, 'pena').map((one) => one.id)).toEqual([3])
  expect(filterPeople(people, 'ana l').map((one) => one.id)).toEqual([2])
  expect(filterPeople(people, 'z')).toEqual([])
})

test('a name is whole, the longer one first, and what is nobody stays a word', () => {
  expect(findMentionedIds('@Ana López y @José Peña, @Ana López', people)).toEqual([2, 3])
  expect(findMentionedIds('@Anahí, sol@Ana, @word', people)).toEqual([])
  expect(splitMentions('mira @Ana, ya', people)).toEqual(['mira ', { named: people[0] }, ', ya'])
})
