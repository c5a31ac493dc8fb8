import { type ChangeEvent, useRef } from 'react'
import { encodeVariables, nameVariables } from './variable-names.ts'

const asIs = (text: string): string => text

/**
 * A text that is stored with codes of variables and shown with their names. `isPlain`: its variables are words already.
 */
export function useVariableText(value: string, onChange: (text: string) => void, isPlain = false) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [show, store] = isPlain ? [asIs, asIs] : [nameVariables, encodeVariables]
  const shown = show(value)
  const type = ({ currentTarget: { value: typed, selectionEnd } }: ChangeEvent<HTMLTextAreaElement>) => {
    onChange(store(typed))
    if (show(store(typed)) === typed) return
    // A code typed by hand has become a longer name: the cursor stays behind it.
    const end = show(store(typed.slice(0, selectionEnd))).length
    requestAnimationFrame(() => area.current?.setSelectionRange(end, end))
  }
  /** Inserts at the cursor. */
  const insert = (text: string) => {
    const { selectionStart = shown.length, selectionEnd = shown.length } = area.current ?? {}
    onChange(store(shown.slice(0, selectionStart) + text + shown.slice(selectionEnd)))
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(selectionStart + text.length, selectionStart + text.length)
    })
  }
  return { area, shown, show, type, insert }
}
