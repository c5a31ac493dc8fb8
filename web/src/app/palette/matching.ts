import { fold } from '@recado/contract/text/fold'

/** Every typed word starts a word of the label, or from three letters on occurs anywhere in it. */
export function isPaletteMatch(label: string, query: string): boolean {
  const text = fold(label)
  const starts = text.split(/[^\p{L}\p{N}]+/u)
  return fold(query)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => starts.some((start) => start.startsWith(word)) || (word.length > 2 && text.includes(word)))
}
