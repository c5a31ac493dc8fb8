import { netPromoterScore, type RatingScale, toRateOfThree } from '@recado/contract/text/rating-scale'
import { expect, it } from 'vitest'
import { makeTurn } from '../../../test/bot-turn.ts'
import { interpretRating, parseRating, ratingBot } from './rating.ts'

const pendingRating = {
  ...{ ticketId: 7, userId: 4, asked: 1, alone: true, completed: false },
  scale: 3 as const,
  commentOf: null,
}

it.each([
  ['3', 3],
  [' 2 ', 2],
  ['1!', 1],
  ['3️⃣', 3],
  ['２', 2],
  ['⭐⭐', 2],
  ['10', 10],
  ['-1', -1],
  ['2,5', 2.5],
])('reads the number in %j', (text, number) => expect(parseRating(text)).toBe(number))

it.each(['', 'tres', 'ok gracias', '3 cosas quiero decir', '1 2 3', '12345678', 'a3'])(
  'reads no number in %j',
  (text) => expect(parseRating(text)).toBeNull(),
)

it('stops reading as soon as the text cannot be a number', () => {
  const began = process.threadCpuUsage()
  for (const sign of ['!', '…', ' ', '⭐', '*', '1']) expect(parseRating(`${sign.repeat(65_000)}x`)).not.toBe(1)
  expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(100)
})

it('accepts one of the three ratings, asks once more after another number, and then gives up', () => {
  expect(interpretRating(pendingRating, '2')).toEqual({ kind: 'rated', rate: 2 })
  for (const text of ['0', '4', '-1', '2,5', '10']) {
    expect(interpretRating(pendingRating, text)).toEqual({ kind: 'ask-again' })
    expect(interpretRating({ ...pendingRating, asked: 2 }, text)).toEqual({ kind: 'given-up' })
  }
})

it('sends nothing where no rating was requested, or the message is no number', () => {
  expect(ratingBot(makeTurn({ text: '3' }))).toBeNull()
  expect(ratingBot(makeTurn({ text: 'ok gracias', pendingRating: pendingRating }))).toBeNull()
  expect(ratingBot(makeTurn({ text: null, pendingRating: pendingRating }))).toBeNull()
  expect(ratingBot(makeTurn({ text: '3', pendingRating: pendingRating }))).toMatchObject({
    bot: 'rating',
    why: 'rated',
    with: { rate: 3, scale: 3 },
  })
})

it.each<[scale: RatingScale, accepted: string[], refused: string[]]>([
  [5, ['1', '5', '⭐⭐⭐⭐'], ['0', '6', '2,5', '-1']],
  [10, ['0', '7', '10'], ['11', '-1', '9,5']],
])('accepts the scores of the scale up to %i', (scale, accepted, refused) => {
  const asked = { ...pendingRating, scale }
  for (const text of accepted) expect(interpretRating(asked, text)).toMatchObject({ kind: 'rated' })
  for (const text of refused) expect(interpretRating(asked, text)).toEqual({ kind: 'ask-again' })
})

it('takes any text as the comment that was asked for', () => {
  const asked = { ...pendingRating, commentOf: 9 }
  for (const text of ['tardaron mucho', '10']) expect(interpretRating(asked, text)).toEqual({ kind: 'commented', text })
  expect(interpretRating(asked, null)).toBeNull()
})

it('puts the scores of every scale into the three groups of older clients', () => {
  const groups = (scale: RatingScale, from: number) =>
    Array.from({ length: scale - from + 1 }, (_, i) => toRateOfThree(scale, i + from)).join('')
  expect([groups(3, 1), groups(5, 1), groups(10, 0)]).toEqual(['123', '11233', '11111112233'])
  expect(netPromoterScore([0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1])).toBe(25)
  expect(netPromoterScore([])).toBeNull()
})
