import { type ClipboardEvent, type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import classes from './composer.module.css'

export type MessageInputHandle = {
  focus: () => void
  /** Puts text in place of what is selected, and the cursor after it. */
  insert: (text: string) => void
  element: () => HTMLTextAreaElement | null
}
type Props = {
  ref: Ref<MessageInputHandle>
  label: string
  hint: string
  value: string
  onChange: (text: string) => void
  onEnter: () => void
  /** Keys the list above takes first; true when it did. */
  onKey?: (event: KeyboardEvent) => boolean
  /** What is pasted as a file; without it only text can be. */
  onFiles?: ((files: File[]) => void) | undefined
  onBlur?: () => void
  list?: { id: string; active: string | undefined } | null
  most: number
  /** Another look than the box's own. */
  className?: string | undefined
}

const canGrowItself = CSS.supports('field-sizing', 'content')

/** The text itself: one row to five. Enter sends, with Shift it breaks the line; an unfinished sign is left alone. */
export function MessageInput(props: Props) {
  const { ref, label, hint, value, onChange, onEnter, onKey, onFiles, onBlur, list, most, className } = props
  const area = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => ({
    focus: () => focusEnd(area.current),
    insert: (text) => insertText(area.current, text),
    element: () => area.current,
  }))
  useAutoHeight(area.current, value)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // 229: Safari reports the Enter that ends a composition after it.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || onKey?.(event)) return
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    event.preventDefault()
    onEnter()
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    // Cells copied from a sheet come as text, as a page and as a picture of themselves: the text is meant.
    const { types } = event.clipboardData
    if (!onFiles || files.length === 0 || (types.includes('text/plain') && types.includes('text/html'))) return
    event.preventDefault()
    onFiles(files)
  }
  return (
    <textarea
      ref={area}
      className={className ?? classes.input}
      rows={1}
      dir="auto"
      aria-label={label}
      placeholder={hint}
      value={value}
      maxLength={most}
      enterKeyHint="send"
      {...(list && { 'aria-autocomplete': 'list', 'aria-controls': list.id, 'aria-activedescendant': list.active })}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onBlur={onBlur}
    />
  )
}

function focusEnd(area: HTMLTextAreaElement | null): void {
  if (!area) return
  area.focus()
  area.setSelectionRange(area.value.length, area.value.length)
}

function insertText(area: HTMLTextAreaElement | null, text: string): void {
  if (!area) return
  area.focus()
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
  area.dispatchEvent(new Event('input', { bubbles: true }))
}

/** For browsers that do not let a field grow by itself. */
function useAutoHeight(area: HTMLTextAreaElement | null, value: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    if (canGrowItself || !area) return
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  }, [area, value])
}
