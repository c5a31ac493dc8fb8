import { type RefObject, useEffect } from 'react'
import { markWords, unmarkWords } from './marks.ts'

/** The words stay marked whatever is drawn meanwhile: older pages, new messages, the rest of a long text. */
export function useMarks(
  rows: RefObject<HTMLElement | null>,
  hits: { id: string }[],
  words: string,
  now: string | undefined,
): void {
  useEffect(() => {
    const element = rows.current
    if (!element || hits.length === 0) return unmarkWords()
    const ids = new Set(hits.map((hit) => hit.id))
    let asked = 0
    const mark = () => {
      asked = 0
      markWords(element, ids, words, now)
    }
    const soon = () => {
      asked ||= requestAnimationFrame(mark)
    }
    const watch = new MutationObserver(soon)
    watch.observe(element, { childList: true, subtree: true, characterData: true })
    mark()
    return () => {
      watch.disconnect()
      cancelAnimationFrame(asked)
      unmarkWords()
    }
  }, [rows, hits, words, now])
}
