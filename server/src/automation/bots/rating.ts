import { normalizeAnswer } from '@recado/contract/menu/normalize-answer'
import type { ImmediateAction, RatingAnswer, Turn } from '../bot-actions/bot.ts'

const starSigns = new Set('⭐🌟★')

/** A single number as typed on a phone: "3", "3!", "3️⃣", "⭐⭐⭐". Null: something else. */
export function parseRating(text: string): number | null {
  const said = normalizeAnswer(text)
  const given = [...said].filter((sign) => sign !== ' ')
  if (given.length && given.every((sign) => starSigns.has(sign))) return given.length
  return /^-?\d{1,4}(?:[.,]\d{1,2})?$/.test(said) ? Number(said.replace(',', '.')) : null
}

/** A number answers the question: one of the three is stored; another is asked for once more. Anything else is no answer. */
export function interpretRating(asked: { asked: number } | null, text: string | null): RatingAnswer | null {
  const number = asked && text !== null ? parseRating(text) : null
  if (!asked || number === null) return null
  if ([1, 2, 3].includes(number)) return { kind: 'rated', rate: number }
  return asked.asked > 1 ? { kind: 'given-up' } : { kind: 'ask-again' }
}

/** The ticket is the one that was asked about: it was found by the same rule (see inbox/message.ts). */
export function ratingBot({ pendingRating: asked, text }: Turn): ImmediateAction | null {
  const answer = interpretRating(asked, text)
  if (!answer) return null
  const rate = answer.kind === 'rated' ? answer.rate : null
  return { bot: 'rating', why: answer.kind, with: { rate }, messages: [], ratingAnswer: answer }
}
