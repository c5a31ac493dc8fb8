type NamedTag = { name: string }

/** Chips of a row: 6 px of padding on each side, at most 104 wide, 6 px apart (design 7). */
const chipPaddingPx = 12
const maxChipWidthPx = 104
const chipGapPx = 6
/** The width of "+12". */
const restCountWidthPx = 30
/** A chip is never cut below this many letters. */
const minChipLetters = 8

/**
 * As many whole chips as fit, then the number of the other tags. Only the first chip may be truncated, never below
 * a minimum.
 */
export function fitTags<T extends NamedTag>(tags: T[], room: number, widthOf: (text: string) => number): T[] {
  const fitting: T[] = []
  let roomLeft = room
  for (const [i, tag] of tags.entries()) {
    const last = i === tags.length - 1
    const width = Math.min(maxChipWidthPx, widthOf(tag.name) + chipPaddingPx) + (i > 0 ? chipGapPx : 0)
    if (width > roomLeft - (last ? 0 : chipGapPx + restCountWidthPx)) break
    fitting.push(tag)
    roomLeft -= width
  }
  const [first] = tags
  if (fitting.length > 0 || !first) return fitting
  const stump = widthOf(first.name.slice(0, minChipLetters)) + chipPaddingPx
  return stump <= roomLeft - (tags.length > 1 ? chipGapPx + restCountWidthPx : 0) ? [first] : []
}
