import type { KeyboardEvent } from 'react'

/** The arrows go from word to word in the whole editor. */
export function moveBetweenTokens(event: KeyboardEvent): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
  const { target, currentTarget } = event
  if (!(target instanceof HTMLElement) || !target.matches('[data-token]')) return
  const tokens = [...currentTarget.querySelectorAll<HTMLElement>('[data-token]')]
  tokens[tokens.indexOf(target) + (event.key === 'ArrowLeft' ? -1 : 1)]?.focus()
  event.preventDefault()
}
