import { expect, test } from 'vitest'
import { fitTags } from './fit-tags.ts'

test('shows as many whole tag chips as fit, and truncates only the first, never below a minimum', () => {
  const tags = ['VIP', 'Mayorista', 'Pago pendiente de hace tiempo'].map((name) => ({ name }))
  const names = (room: number, given = tags) => fitTags(given, room, (text) => text.length * 6).map((tag) => tag.name)
  expect(names(400)).toHaveLength(3)
  expect(names(150)).toEqual(['VIP', 'Mayorista'])
  expect(names(80)).toEqual(['VIP'])
  expect(names(20)).toEqual([])
  expect(names(64, tags.slice(2))).toEqual(['Pago pendiente de hace tiempo'])
  expect(names(50, tags.slice(2))).toEqual([])
})
