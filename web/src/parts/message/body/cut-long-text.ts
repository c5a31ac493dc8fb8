/**
 * How much of a text is shown: a longer text does not fit on a phone's screen, and readers want to skip it or expand it
 * with one click.
 */
const maxShown = { signs: 1500, lines: 30 }
/** Minimum hidden amount for which folding is worth a click. */
const minHidden = { signs: 300, lines: 6 }

/**
 * The beginning of a very long text, up to the end of a word; null when the text is short enough to be shown
 * completely.
 */
export function cutLongText(text: string): string | null {
  const lines = text.split('\n', maxShown.lines + minHidden.lines + 1)
  const isLong = text.length > maxShown.signs + minHidden.signs
  if (!isLong && lines.length <= maxShown.lines + minHidden.lines) return null
  const start = lines.slice(0, maxShown.lines).join('\n').slice(0, maxShown.signs)
  // A text without blanks is cut anywhere, but never within a surrogate pair.
  const blank = Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'))
  const end = start.length < maxShown.signs ? start.length : blank > maxShown.signs / 2 ? blank : start.length
  return start
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
}
