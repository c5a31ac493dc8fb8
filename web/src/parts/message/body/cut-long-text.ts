/** Longer than a screen of a phone: whoever reads the conversation wants to pass it, whoever wants it presses once. */
const maxShown = { signs: 1500, lines: 30 }
/** What is folded away is worth the press. */
const minHidden = { signs: 300, lines: 6 }

/** The beginning of a very long text, up to the end of a word; null when it is shown as it is. */
export function cutLongText(text: string): string | null {
  const lines = text.split('\n', maxShown.lines + minHidden.lines + 1)
  const isLong = text.length > maxShown.signs + minHidden.signs
  if (!isLong && lines.length <= maxShown.lines + minHidden.lines) return null
  const start = lines.slice(0, maxShown.lines).join('\n').slice(0, maxShown.signs)
  // A text without blanks ends where it must, but never in the middle of a sign of two parts.
  const blank = Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'))
  const end = start.length < maxShown.signs ? start.length : blank > maxShown.signs / 2 ? blank : start.length
  return start
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
}
