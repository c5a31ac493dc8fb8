/**
 * The code of the palette loads on first use, and its field takes the focus only after it is drawn. Keys pressed until
 * then are kept for the field: on the page they would act as single-key shortcuts or type into the composer.
 */
type TypeAhead = { text: string; endsAt: number; cancel: () => void }
type TypedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'> & {
  getModifierState(key: string): boolean
}

/** If the code cannot be loaded, the page gets its keys back after this time. */
const maxWaitMs = 10_000

/** The text after a key, or null if the key is not for the field. */
export function typeKey(text: string, event: TypedKey): string | null {
  if (event.isComposing) return null
  // On Windows AltGr, which types characters such as @, counts as Ctrl with Alt.
  const isCommand = event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph'))
  if (isCommand) return null
  if (event.key === 'Backspace') return text.slice(0, -1)
  // The results are not shown yet, so nothing can be chosen; on the page Enter would press the focused button.
  if (event.key === 'Enter') return text
  return event.key.length === 1 ? text + event.key : null
}

let typeAhead: TypeAhead | null = null

function keepKey(event: KeyboardEvent): void {
  if (!typeAhead) return
  if (Date.now() > typeAhead.endsAt) return void takeTypedText()
  if (event.key === 'Escape') return void typeAhead.cancel()
  const text = typeKey(typeAhead.text, event)
  if (text === null) return
  typeAhead.text = text
  event.preventDefault()
  event.stopPropagation()
}

/** Keeps what is typed from now on, until the field takes it. `cancel`: called by Escape. */
export function startTypeAhead(cancel: () => void): void {
  typeAhead = { text: '', endsAt: Date.now() + maxWaitMs, cancel }
  addEventListener('keydown', keepKey, true)
}

/** Ends the type-ahead; returns what was typed. */
export function takeTypedText(): string {
  const text = typeAhead?.text ?? ''
  typeAhead = null
  globalThis.removeEventListener?.('keydown', keepKey, true)
  return text
}
