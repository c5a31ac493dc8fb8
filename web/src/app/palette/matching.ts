/** Accents and case are for writing, not for finding: "rapidas" finds "Respuestas rápidas". */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Every word that was typed begins a word of the label, or stands in it from the third letter on. */
export function matches(label: string, query: string): boolean {
  const text = plain(label)
  const starts = text.split(/[^\p{L}\p{N}]+/u)
  return plain(query)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => starts.some((start) => start.startsWith(word)) || (word.length > 2 && text.includes(word)))
}
