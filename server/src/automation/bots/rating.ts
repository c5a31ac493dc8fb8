import type { Act, Answer, Turn } from './bot.ts'

const stars = '⭐🌟★'

/** A number alone, as people write it on a telephone: "3", "3!", "3️⃣", "⭐⭐⭐". Null: it is something else. */
export function numberIn(text: string): number | null {
  if (/^(?:[⭐🌟★]\ufe0f?\s*)+$/u.test(text.trim())) return [...text].filter((sign) => stars.includes(sign)).length
  const bare = text.replace(/[\ufe0f\u20e3\u200b-\u200f]/g, '').replace(/^[\s*_~"'(]+|[\s*_~"').,!]+$/g, '')
  return /^-?\d{1,4}(?:[.,]\d{1,2})?$/.test(bare) ? Number(bare.replace(',', '.')) : null
}

/** A number answers the question: one of the three is kept, another one is asked for once more. All else is no answer. */
export function answerTo(asked: { asked: number } | null, text: string | null): Answer | null {
  const number = asked && text !== null ? numberIn(text) : null
  if (!asked || number === null) return null
  if ([1, 2, 3].includes(number)) return { kind: 'rated', rate: number }
  return asked.asked > 1 ? { kind: 'given-up' } : { kind: 'ask-again' }
}

/** The ticket is the one that was asked about: it was found by the same judgement (see inbox/message.ts). */
export function rating({ asked, text }: Turn): Act | null {
  const answer = answerTo(asked, text)
  if (!answer) return null
  const rate = answer.kind === 'rated' ? answer.rate : null
  return { bot: 'rating', why: answer.kind, with: { rate }, say: [], rating: answer }
}
