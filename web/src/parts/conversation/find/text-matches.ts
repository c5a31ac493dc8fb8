import { fold } from '@recado/contract/text/fold'

/** From the first sign up to, not including, the second. */
export type TextMatch = { start: number; end: number }

/** Where words stand in a text, compared as every search compares: places in the text itself, whatever its accents. */
export function findTextMatches(text: string, words: string): TextMatch[] {
  const needle = fold(words)
  if (!needle) return []
  const folded = fold(text)
  if (!folded.includes(needle)) return []
  // Almost always each sign stays one: then a place in one is that place in the other.
  const from = folded.length === text.length ? null : foldedToOriginal(text)
  const places: TextMatch[] = []
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length)) {
    const last = at + needle.length - 1
    places.push({ start: from?.[at]?.start ?? at, end: from?.[last]?.end ?? last + 1 })
  }
  return places
}

/** Of each sign of the folded text, the sign of the text that it came from. */
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
