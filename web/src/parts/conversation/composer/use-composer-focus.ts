import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isInOverlay, isTextField } from '../../../lib/shortcut-keys.ts'
import type { MessageInputHandle } from '../../message/composer/message-input.tsx'
import { useTypeIntoComposer } from '../../message/composer/use-type-into-composer.ts'

/** Elements that open a popup or take further keys keep the focus. */
const keepsFocusSelector = '[aria-haspopup], [aria-expanded], input, label, select, a[href]'

/**
 * Whether the composer may take the focus: not on a phone, which would show its keyboard, and not while the user types
 * elsewhere or selects text.
 */
const canTakeFocus = (): boolean =>
  !matchMedia('(pointer: coarse)').matches &&
  !isTextField(document.activeElement) &&
  !isInOverlay(document.activeElement) &&
  (getSelection()?.isCollapsed ?? true)

/**
 * The composer gets the focus when it appears, after a mouse click on a button of the conversation or on the ticket's row,
 * and after a dialog. Escape leaves the composer. Typed letters get it back from anywhere (use-type-into-composer.ts).
 */
export function useComposerFocus(area: RefObject<MessageInputHandle | null>): void {
  useTypeIntoComposer(area)
  const home = useEffectEvent(() => void (canTakeFocus() && area.current?.focus()))
  useEffect(() => {
    let inDialog = false
    const onFocus = ({ target }: FocusEvent) => {
      const left = inDialog
      inDialog = target instanceof Element && target.closest('[role="dialog"]') !== null
      // The focus moves a frame later, because the dialog still has to return it.
      if (left && !inDialog) requestAnimationFrame(home)
    }
    const onClick = ({ target, detail }: MouseEvent) => {
      // A click with a count of 0 came from the keyboard: the focus stays for further keyboard navigation.
      if (detail === 0 || !(target instanceof Element) || isInOverlay(target)) return
      // This is the row of the ticket that is already open. A search hit leads to its message, which takes the focus.
      const opener = target.closest<HTMLAnchorElement>('a[data-opener][aria-current="true"]')
      if (opener && opener.hash === '') {
        // At once, because letters typed in a row are commands. In a frame again, if the row has taken the focus back.
        home()
        requestAnimationFrame(home)
      }
      if (!target.closest('#conversation')) return
      const button = target.closest('button')
      if (button && !button.closest(keepsFocusSelector)) requestAnimationFrame(home)
    }
    home()
    document.addEventListener('focusin', onFocus)
    // Listen in the capture phase, before React, which may remove the button.
    document.addEventListener('click', onClick, true)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('click', onClick, true)
    }
  }, [])
}
