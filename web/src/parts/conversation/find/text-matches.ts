import { fold } from '@recado/contract/text/fold'

/** A range of characters; the end is exclusive. */
export type TextMatch = { start: number; end: number }

/** The ranges of a query in a text, folded as in every search. The positions refer to the original text. */
export function findTextMatches(text: string, words: string): TextMatch[] {
  const needle = fold(words)
  if (!needle) return []
  const folded = fold(text)
  if (!folded.includes(needle)) return []
  // Usually folding keeps the length, and positions are the same in both texts.
  const from = folded.length === text.length ? null : foldedToOriginal(text)
  const places: TextMatch[] = []
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length)) {
    const last = at + needle.length - 1
    places.push({ start: from?.[at]?.start ?? at, end: from?.[last]?.end ?? last + 1 })
  }
  return places
}

/** For each character of the folded text, the range of its original character. */
function foldedToOriginal(text: string): TextMatch[] {
  const all: TextMatch[] = []
  let start = 0
  for (const sign of text) {
    const end = start + sign.length
    for (let i = fold(sign).length; i > 0; i--) all.push({ start, end })
    start = end
  }
  return all
}
