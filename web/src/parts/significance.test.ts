import { expect, it } from 'vitest'
import { confidenceInterval, findSignificantWinner } from './significance.ts'

it('gives a wide interval for few people and a narrow one for many', () => {
  const [few, many] = [confidenceInterval(1, 5), confidenceInterval(200, 1000)]
  expect(few[1] - few[0]).toBeGreaterThan(0.5)
  expect(many[0]).toBeCloseTo(0.176, 2)
  expect(many[1]).toBeCloseTo(0.226, 2)
  expect(confidenceInterval(0, 0)).toEqual([0, 0])
  expect(confidenceInterval(0, 10)[0]).toBe(0)
})

it('names a winner only when the difference is unlikely to be chance', () => {
  const [two, one, three] = [
    { sent: 230, answered: 47 },
    { sent: 237, answered: 34 },
    { sent: 228, answered: 23 },
  ]
  expect(findSignificantWinner([two, one, three])).toBe(null)
  expect(findSignificantWinner([two, three, one])).toBe(two)
  expect(findSignificantWinner([two])).toBe(null)
  expect(
    findSignificantWinner([
      { sent: 3, answered: 0 },
      { sent: 3, answered: 0 },
    ]),
  ).toBe(null)
})
