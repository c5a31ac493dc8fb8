import { answered } from '@recado/contract/menu/answer'
import type { Act, Answer, Turn } from './bot.ts'

const stars = new Set('⭐🌟★')

/** A number alone, as people write it on a telephone: "3", "3!", "3️⃣", "⭐⭐⭐". Null: it is something else. */
export function numberIn(text: string): number | null {
  const said = answered(text)
  const given = [...said].filter((sign) => sign !== ' ')
  if (given.length && given.every((sign) => stars.has(sign))) return given.length
  return /^-?\d{1,4}(?:[.,]\d{1,2})?$/.test(said) ? Number(said.replace(',', '.')) : null
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
