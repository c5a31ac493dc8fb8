type Named = { name: string }

/** Chips of a row: 6 px of padding on each side, at most 104 wide, 6 px apart (design 7). */
const padding = 12
const widest = 104
const gap = 6
/** "+12" */
const restWidth = 30
/** A chip is never cut below this many letters. */
const letters = 8

/** As many whole chips as fit, then the number of the rest. Only the first may be cut, and never to a stump. */
export function fitTags<T extends Named>(tags: T[], room: number, widthOf: (text: string) => number): T[] {
  const fitting: T[] = []
  let left = room
  for (const [i, tag] of tags.entries()) {
    const last = i === tags.length - 1
    const width = Math.min(widest, widthOf(tag.name) + padding) + (i > 0 ? gap : 0)
    if (width > left - (last ? 0 : gap + restWidth)) break
    fitting.push(tag)
    left -= width
  }
  const [first] = tags
  if (fitting.length > 0 || !first) return fitting
  const stump = widthOf(first.name.slice(0, letters)) + padding
  return stump <= left - (tags.length > 1 ? gap + restWidth : 0) ? [first] : []
}
