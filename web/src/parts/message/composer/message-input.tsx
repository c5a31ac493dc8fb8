import { type ClipboardEvent, type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import classes from './composer.module.css'

export type MessageInputHandle = {
  focus: () => void
  /** Replaces the selection with text and puts the cursor after it. */
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
  /** Handles keys for the list above the text first; returns true when it handled the key. */
  handleKeyFirst?: (event: KeyboardEvent) => boolean
  /** Called with pasted files; if absent, only text can be pasted. */
  onPasteFiles?: ((files: File[]) => void) | undefined
  onBlur?: () => void
  suggestionList?: { id: string; active: string | undefined } | null
  maxLength: number
  /** Overrides the default style. */
  className?: string | undefined
}

const canGrowItself = CSS.supports('field-sizing', 'content')

/** The text area: one to five rows. Enter sends, Shift+Enter inserts a line break; IME composition is respected. */
export function MessageInput(props: Props) {
  const {
    ref,
    label,
    hint,
    value,
    onChange,
    onEnter,
    handleKeyFirst,
    onPasteFiles,
    onBlur,
    suggestionList,
    maxLength,
    className,
  } = props
  const area = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => ({
    focus: () => focusEnd(area.current),
    insert: (text) => insertText(area.current, text),
    element: () => area.current,
  }))
  useAutoHeight(area.current, value)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // The code 229: Safari reports the Enter that ends a composition after the composition.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || handleKeyFirst?.(event)) return
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    event.preventDefault()
    onEnter()
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    // Cells copied from a spreadsheet arrive as text, HTML and picture: the text is used.
    const { types } = event.clipboardData
    if (!onPasteFiles || files.length === 0 || (types.includes('text/plain') && types.includes('text/html'))) return
    event.preventDefault()
    onPasteFiles(files)
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
      maxLength={maxLength}
      enterKeyHint="send"
      {...(suggestionList && {
        'aria-autocomplete': 'list',
        'aria-controls': suggestionList.id,
        'aria-activedescendant': suggestionList.active,
      })}
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

/** Sets the height in browsers that cannot grow a text area by CSS. */
function useAutoHeight(area: HTMLTextAreaElement | null, value: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    if (canGrowItself || !area) return
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  }, [area, value])
}
