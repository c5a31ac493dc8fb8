/** Longer than a screen of a phone: whoever reads the conversation wants to pass it, whoever wants it presses once. */
const most = { signs: 1500, lines: 30 }
/** What is folded away is worth the press. */
const worth = { signs: 300, lines: 6 }

/** The beginning of a very long text, up to the end of a word; null when it is shown as it is. */
export function openingOf(text: string): string | null {
  const lines = text.split('\n', most.lines + worth.lines + 1)
  const isLong = text.length > most.signs + worth.signs
  if (!isLong && lines.length <= most.lines + worth.lines) return null
  const start = lines.slice(0, most.lines).join('\n').slice(0, most.signs)
  // A text without blanks ends where it must, but never in the middle of a sign of two parts.
  const blank = Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'))
  const end = start.length < most.signs ? start.length : blank > most.signs / 2 ? blank : start.length
  return start
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
}
