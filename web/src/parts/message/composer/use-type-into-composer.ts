import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isInOverlay, isInTicketRow, isTextField } from '../../../lib/shortcut-keys.ts'
import type { MessageInputHandle } from './message-input.tsx'

/** Elements on which Space presses, plays or lifts something. */
const spaceSelector = 'button, a[href], summary, label, input, audio, video, [role="button"], [role="tab"], [data-card]'

/** Whether the key types a character, or begins one with an accent. AltGr reports Ctrl and Alt on Windows. */
const isTyped = (event: KeyboardEvent): boolean =>
  (event.key.length === 1 || event.key === 'Dead') &&
  !event.metaKey &&
  (event.getModifierState('AltGraph') || (!event.ctrlKey && !event.altKey))

const isForSomethingElse = ({ key, target }: KeyboardEvent): boolean =>
  isTextField(target) ||
  isInOverlay(target) ||
  isInTicketRow(target) ||
  document.querySelector('[aria-modal="true"]') !== null ||
  (key === ' ' && target instanceof Element && target.closest(spaceSelector) !== null)

/**
 * Sends whatever is typed to the composer while a conversation is open, unless a field, a menu or a row of the ticket
 * list has the focus. So it does not matter what was clicked before.
 */
export function useTypeIntoComposer(area: RefObject<MessageInputHandle | null>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isTyped(event) || isForSomethingElse(event) || !area.current) return
    area.current.focus()
    // The key is typed into the text field and must not trigger a shortcut.
    event.stopPropagation()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener, true)
    return () => document.removeEventListener('keydown', listener, true)
  }, [])
}
