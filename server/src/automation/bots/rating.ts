import { normalizeAnswer } from '@recado/contract/menu/normalize-answer'
import type { ImmediateAction, RatingAnswer, Turn } from '../bot-actions/bot.ts'

const starSigns = new Set('⭐🌟★')

/** A single number as typed on a phone: "3", "3!", "3️⃣", "⭐⭐⭐". Null: the text is no such number. */
export function parseRating(text: string): number | null {
  const answerText = normalizeAnswer(text)
  const given = [...answerText].filter((sign) => sign !== ' ')
  if (given.length && given.every((sign) => starSigns.has(sign))) return given.length
  return /^-?\d{1,4}(?:[.,]\d{1,2})?$/.test(answerText) ? Number(answerText.replace(',', '.')) : null
}

/** One of the three ratings is stored; after another number the customer is asked once more. Other text is no answer. */
export function interpretRating(pendingRating: { asked: number } | null, text: string | null): RatingAnswer | null {
  const number = pendingRating && text !== null ? parseRating(text) : null
  if (!pendingRating || number === null) return null
  if ([1, 2, 3].includes(number)) return { kind: 'rated', rate: number }
  return pendingRating.asked > 1 ? { kind: 'given-up' } : { kind: 'ask-again' }
}

/**
 * Answers with the rating bot. `pendingRating` belongs to this ticket, because both are found by the same rule (see
 * inbox/message.ts).
 */
export function ratingBot({ pendingRating, text }: Turn): ImmediateAction | null {
  const answer = interpretRating(pendingRating, text)
  if (!answer) return null
  const rate = answer.kind === 'rated' ? answer.rate : null
  return { bot: 'rating', why: answer.kind, with: { rate }, messages: [], ratingAnswer: answer }
}
