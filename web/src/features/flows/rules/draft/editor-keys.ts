import type { KeyboardEvent } from 'react'
import { isInModal } from '../../../../lib/shortcut-keys.ts'
import { useShortcut } from '../../../../lib/shortcuts.ts'

/** Ctrl Enter publishes wherever the focus is, except in a dialog that covers the editor. */
export function usePublishKey(publish: () => Promise<void>, label: string): void {
  useShortcut('mod+Enter', () => void publish(), { label, isAllowedAt: (target) => !isInModal(target) })
}

/** The arrows go from word to word in the whole editor. */
export function moveBetweenTokens(event: KeyboardEvent): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
  const { target, currentTarget } = event
  if (!(target instanceof HTMLElement) || !target.matches('[data-token]')) return
  const tokens = [...currentTarget.querySelectorAll<HTMLElement>('[data-token]')]
  tokens[tokens.indexOf(target) + (event.key === 'ArrowLeft' ? -1 : 1)]?.focus()
  event.preventDefault()
}
