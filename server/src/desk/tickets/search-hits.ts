import { fold } from '@recado/contract/text/fold'
import type { SearchHit } from '@recado/contract/tickets'

/** Number of characters shown before the match, and in total. */
const leadLength = 24
const maxHitLength = 140

/** The usual case: in ASCII, each character is one position in the text. */
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/** Iterating characters is expensive, so in a long text only about this many around the match are examined. */
const contextLength = 1000
function cutAroundHit(text: string, needle: string): { text: string; cutBefore: boolean; cutAfter: boolean } {
  const at = Math.max(0, fold(text).indexOf(needle))
  const [from, to] = [Math.max(0, at - contextLength), at + needle.length + contextLength]
  return { text: text.slice(from, to), cutBefore: from > 0, cutAfter: to < text.length }
}

/** The position of the match: its first character, and the character after its last. */
function locateHit(chars: string[] | string, needle: string): { start: number; end: number } {
  const whole = fold(textOf(chars))
  const at = whole.indexOf(needle)
  if (at < 0) return { start: 0, end: 0 }
  // Folding usually keeps the length: then positions are the same in both texts.
  if (whole.length === chars.length) return { start: at, end: at + needle.length }
  // Otherwise each letter of the folded text is mapped to its original character.
  const from = [...chars].flatMap((sign, i) => Array.from({ length: fold(sign).length }, () => i))
  const start = from[at] ?? 0
  return { start, end: (from[at + needle.length - 1] ?? start) + 1 }
}

const textOf = (chars: string[] | string): string => (typeof chars === 'string' ? chars : chars.join(''))

/** The match with the text around it, without line breaks. */
export function makeSearchHit(message: { id: string; body: string }, words: string): SearchHit {
  const needle = fold(words.replace(/\s+/g, ' '))
  const { text, cutBefore, cutAfter } = cutAroundHit(message.body.replace(/\s+/g, ' '), needle)
  const chars = isAscii(text) ? text : [...text]
  const { start, end } = locateHit(chars, needle)
  const first = Math.max(0, start - leadLength)
  const last = Math.max(end, first + maxHitLength)
  const piece = (a: number, b: number) => textOf(chars.slice(a, b))
  return {
    messageId: message.id,
    before: `${first > 0 || cutBefore ? '…' : ''}${piece(first, start)}`,
    words: piece(start, end),
    after: `${piece(end, last)}${last < chars.length || cutAfter ? '…' : ''}`,
  }
}
