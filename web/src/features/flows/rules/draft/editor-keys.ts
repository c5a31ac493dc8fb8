import type { KeyboardEvent } from 'react'

/** The keys of a whole editor: the arrows between words, and Ctrl Enter to publish. */
export function handleEditorKey(event: KeyboardEvent, publish: () => Promise<void>): void {
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
    moveBetweenTokens(event, event.key === 'ArrowLeft' ? -1 : 1)
  else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    void publish()
  }
}

/** The arrows go from word to word. */
function moveBetweenTokens(event: KeyboardEvent, by: number): void {
  const { target, currentTarget } = event
  if (!(target instanceof HTMLElement) || !target.matches('[data-token]')) return
  const tokens = [...currentTarget.querySelectorAll<HTMLElement>('[data-token]')]
  tokens[tokens.indexOf(target) + by]?.focus()
  event.preventDefault()
}
