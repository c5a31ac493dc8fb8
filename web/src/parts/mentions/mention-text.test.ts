import { expect, test } from 'vitest'
import { filterPeople, findMentionedIds, findMentionQuery, splitMentions } from './mention-text.ts'

const people = [
  { id: 1, name: 'Ana' },
  { id: 2, name: 'Ana López' },
  { id: 3, name: 'José Peña' },
]

test('suggests names after an @, but not in an email address', () => {
  expect(findMentionQuery('mira @', 6)).toEqual({ from: 5, query: '' })
  expect(findMentionQuery('mira @an', 8)).toEqual({ from: 5, query: 'an' })
  expect(findMentionQuery('mira @Ana L', 11)).toEqual({ from: 5, query: 'Ana L' })
  expect(findMentionQuery('mira @an y más', 8)).toEqual({ from: 5, query: 'an' })
  expect(findMentionQuery('@Ana López ', 11)).toBeNull()
  expect(findMentionQuery('sol@recado', 10)).toBeNull()
  expect(findMentionQuery('nada', 4)).toBeNull()
  expect(findMentionQuery(`@${'x'.repeat(65_000)}`, 65_001)).toBeNull()
})

test('finds people by the beginning of each of their names', () => {
  expect(filterPeople(people, '').map((one) => one.id)).toEqual([1, 2, 3])
  expect(filterPeople(people, 'pena').map((one) => one.id)).toEqual([3])
  expect(filterPeople(people, 'ana l').map((one) => one.id)).toEqual([2])
  expect(filterPeople(people, 'z')).toEqual([])
})

test('matches whole names, the longer name first, and leaves unknown names as text', () => {
  expect(findMentionedIds('@Ana López y @José Peña, @Ana López', people)).toEqual([2, 3])
  expect(findMentionedIds('@Anahí, sol@Ana, @word', people)).toEqual([])
  expect(splitMentions('mira @Ana, ya', people)).toEqual(['mira ', { person: people[0] }, ', ya'])
})
