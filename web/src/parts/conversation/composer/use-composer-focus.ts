import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isInOverlay, isTextField } from '../../../lib/shortcut-keys.ts'
import type { MessageInputHandle } from '../../message/composer/message-input.tsx'

/** What opens something, or is worked with further keys, keeps the focus. */
const keepsFocusSelector = '[aria-haspopup], [aria-expanded], input, label, select, a[href]'

/** A phone would show its keyboard; who writes elsewhere, or marks a text to copy it, is left alone. */
const canTakeFocus = (): boolean =>
  !matchMedia('(pointer: coarse)').matches &&
  !isTextField(document.activeElement) &&
  !isInOverlay(document.activeElement) &&
  (getSelection()?.isCollapsed ?? true)

/**
 * Letters are meant for the customer, not for a shortcut: the box has the focus when it appears, after a button of the
 * conversation was pressed with the mouse, after a dialog, and when the focus was lost. Escape leaves it.
 */
export function useComposerFocus(area: RefObject<MessageInputHandle | null>): void {
  const home = useEffectEvent(() => void (canTakeFocus() && area.current?.focus()))
  useEffect(() => {
    let inDialog = false
    const onFocus = ({ target }: FocusEvent) => {
      const left = inDialog
      inDialog = target instanceof Element && target.closest('[role="dialog"]') !== null
      // The dialog is still giving the focus back where it was.
      if (left && !inDialog) requestAnimationFrame(home)
    }
    const onClick = ({ target, detail }: MouseEvent) => {
      // A click without a count was made by a key: whoever goes from button to button goes on from there.
      if (detail === 0 || !(target instanceof Element) || !target.closest('#conversation') || isInOverlay(target))
        return
      const button = target.closest('button')
      if (button && !button.closest(keepsFocusSelector)) requestAnimationFrame(home)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.target !== document.body || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey)
        return
      home()
      // It is written there, and is no shortcut.
      if (isTextField(document.activeElement)) event.stopPropagation()
    }
    home()
    document.addEventListener('focusin', onFocus)
    // Before React, which may take the button away.
    document.addEventListener('click', onClick, true)
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('click', onClick, true)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [])
}
