import { type RefObject, useEffect } from 'react'
import { clearHighlights, highlightMatches } from './highlight-matches.ts'

/** Keeps matches highlighted through re-renders caused by older pages, new messages or an expanded text. */
export function useHighlightMatches(
  rows: RefObject<HTMLElement | null>,
  hits: { id: string }[],
  words: string,
  now: string | undefined,
): void {
  useEffect(() => {
    const element = rows.current
    if (!element || hits.length === 0) return clearHighlights()
    const ids = new Set(hits.map((hit) => hit.id))
    let frameId = 0
    const mark = () => {
      frameId = 0
      highlightMatches(element, ids, words, now)
    }
    const soon = () => {
      frameId ||= requestAnimationFrame(mark)
    }
    const watch = new MutationObserver(soon)
    watch.observe(element, { childList: true, subtree: true, characterData: true })
    mark()
    return () => {
      watch.disconnect()
      cancelAnimationFrame(frameId)
      clearHighlights()
    }
  }, [rows, hits, words, now])
}
