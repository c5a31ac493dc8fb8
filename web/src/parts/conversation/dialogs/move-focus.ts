import type { KeyboardEvent } from 'react'

/** Moves the focus along the buttons of a list. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!by) return
  event.preventDefault()
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('button, input')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  stops.at((at + by + stops.length) % stops.length)?.focus()
}
