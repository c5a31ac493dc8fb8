import type { KeyboardEvent } from 'react'

/** The arrows go from word to word. */
export function moveBetweenTokens(event: KeyboardEvent, by: number): void {
  const { target, currentTarget } = event
  if (!(target instanceof HTMLElement) || !target.matches('[data-token]')) return
  const tokens = [...currentTarget.querySelectorAll<HTMLElement>('[data-token]')]
  tokens[tokens.indexOf(target) + by]?.focus()
  event.preventDefault()
}
