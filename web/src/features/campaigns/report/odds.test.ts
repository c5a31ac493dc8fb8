import { expect, it } from 'vitest'
import { bandOf, best } from './odds.ts'

it('is unsure of few people and surer of many', () => {
  const [few, many] = [bandOf(1, 5), bandOf(200, 1000)]
  expect(few[1] - few[0]).toBeGreaterThan(0.5)
  expect(many[0]).toBeCloseTo(0.176, 2)
  expect(many[1]).toBeCloseTo(0.226, 2)
  expect(bandOf(0, 0)).toEqual([0, 0])
  expect(bandOf(0, 10)[0]).toBe(0)
})

it('names a winner only when chance would hardly do it', () => {
  const [two, one, three] = [
    { sent: 230, answered: 47 },
    { sent: 237, answered: 34 },
    { sent: 228, answered: 23 },
  ]
  expect(best([two, one, three])).toBe(null)
  expect(best([two, three, one])).toBe(two)
  expect(best([two])).toBe(null)
  expect(
    best([
      { sent: 3, answered: 0 },
      { sent: 3, answered: 0 },
    ]),
  ).toBe(null)
})
