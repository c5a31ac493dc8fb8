import { fold } from '@recado/contract/text/fold'

/** Every word that was typed begins a word of the label, or stands in it from the third letter on. */
export function isPaletteMatch(label: string, query: string): boolean {
  const text = fold(label)
  const starts = text.split(/[^\p{L}\p{N}]+/u)
  return fold(query)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => starts.some((start) => start.startsWith(word)) || (word.length > 2 && text.includes(word)))
}
