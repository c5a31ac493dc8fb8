import { expect, it } from 'vitest'
import { turnOf } from '../../../test/turn.ts'
import { answerTo, numberIn, rating } from './rating.ts'

const asked = { ticketId: 7, userId: 4, asked: 1, alone: true, completed: false }

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
])('reads the number in %j', (text, number) => expect(numberIn(text)).toBe(number))

it.each(['', 'tres', 'ok gracias', '3 cosas quiero decir', '1 2 3', '12345678', 'a3'])('reads none in %j', (text) =>
  expect(numberIn(text)).toBeNull(),
)

it('does not read on where no number can be', () => {
  const began = process.threadCpuUsage()
  for (const sign of ['!', '…', ' ', '⭐', '*', '1']) expect(numberIn(`${sign.repeat(65_000)}x`)).not.toBe(1)
  expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(100)
})

it('takes one of the three, asks once more for another number, and then leaves it', () => {
  expect(answerTo(asked, '2')).toEqual({ kind: 'rated', rate: 2 })
  for (const text of ['0', '4', '-1', '2,5', '10']) {
    expect(answerTo(asked, text)).toEqual({ kind: 'ask-again' })
    expect(answerTo({ asked: 2 }, text)).toEqual({ kind: 'given-up' })
  }
})

it('has no word where nothing was asked, or something else was said', () => {
  expect(rating(turnOf({ text: '3' }))).toBeNull()
  expect(rating(turnOf({ text: 'ok gracias', asked }))).toBeNull()
  expect(rating(turnOf({ text: null, asked }))).toBeNull()
  expect(rating(turnOf({ text: '3', asked }))).toMatchObject({ bot: 'rating', why: 'rated', with: { rate: 3 } })
})
