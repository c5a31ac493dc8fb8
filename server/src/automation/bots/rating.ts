import { normalizeAnswer } from '@recado/contract/menu/normalize-answer'
import { isScoreOf } from '@recado/contract/text/rating-scale'
import type { PendingRating } from '../../desk/rating.ts'
import type { ImmediateAction, RatingAnswer, Turn } from '../bot-actions/bot.ts'

const starSigns = new Set('⭐🌟★')

/** A single number as typed on a phone: "3", "3!", "3️⃣", "⭐⭐⭐". Null: the text is no such number. */
export function parseRating(text: string): number | null {
  const answerText = normalizeAnswer(text)
  const given = [...answerText].filter((sign) => sign !== ' ')
  if (given.length && given.every((sign) => starSigns.has(sign))) return given.length
  return /^-?\d{1,4}(?:[.,]\d{1,2})?$/.test(answerText) ? Number(answerText.replace(',', '.')) : null
}

type AskedRating = Pick<PendingRating, 'asked' | 'scale' | 'commentOf'>

/** A score of the scale is stored; after another number the customer is asked once more. Other text is no answer. */
export function interpretRating(pendingRating: AskedRating | null, text: string | null): RatingAnswer | null {
  if (!pendingRating || text === null) return null
  if (pendingRating.commentOf !== null) return { kind: 'commented', text }
  const number = parseRating(text)
  if (number === null) return null
  if (isScoreOf(pendingRating.scale, number)) return { kind: 'rated', rate: number }
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
  const scale = pendingRating?.scale ?? null
  return { bot: 'rating', why: answer.kind, with: { rate, scale }, messages: [], ratingAnswer: answer }
}
