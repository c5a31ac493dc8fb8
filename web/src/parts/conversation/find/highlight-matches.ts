import { findTextMatches } from './text-matches.ts'

/** Names of the highlights for all hits and for the current hit (find-bar.module.css). */
const [allHighlight, currentHighlight] = ['rc-found', 'rc-found-here']

/**
 * Highlights the found text in the bubbles without touching React's DOM. Browsers without the highlight API show
 * only the flash of the message.
 */
export function highlightMatches(
  rows: HTMLElement,
  ids: ReadonlySet<string>,
  words: string,
  now: string | undefined,
): void {
  if (!globalThis.CSS?.highlights) return
  const [all, current] = [new Highlight(), new Highlight()]
  for (const bubble of rows.querySelectorAll<HTMLElement>('[data-message]')) {
    const id = bubble.dataset.message ?? ''
    if (!ids.has(id)) continue
    for (const range of findDomRanges(bubble, words)) (id === now ? current : all).add(range)
  }
  CSS.highlights.set(allHighlight, all)
  CSS.highlights.set(currentHighlight, current)
}

export function clearHighlights(): void {
  for (const name of [allHighlight, currentHighlight]) globalThis.CSS?.highlights?.delete(name)
}

/** Finds matches that may span several text nodes, such as a bold part or a link. */
function findDomRanges(bubble: HTMLElement, words: string): Range[] {
  const pieces: { node: Text; from: number }[] = []
  let text = ''
  const walker = document.createTreeWalker(bubble, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    pieces.push({ node, from: text.length })
    text += node.data
  }
  const at = (place: number): [Text, number] => {
    const piece = pieces.findLast((one) => one.from <= place) as (typeof pieces)[number]
    return [piece.node, place - piece.from]
  }
  return findTextMatches(text, words).map(({ start, end }) => {
    const range = new Range()
    range.setStart(...at(start))
    const [node, last] = at(end - 1)
    range.setEnd(node, last + 1)
    return range
  })
}
