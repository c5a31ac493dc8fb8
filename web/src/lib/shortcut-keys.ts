/** A key with its modifiers: `j`, `?`, `F6`, `shift+F6`, `mod+k` (Ctrl, or ⌘ on a Mac), `alt+1`. */
export type ShortcutKeys = string
export type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'> & { code?: string }

/** Whether this is a Mac. In Node, where the tests run, there is no usable navigator. */
export const isMac = (): boolean => /^(Mac|iPhone|iPad)/.test(globalThis.navigator?.platform ?? '')

function parseShortcutKeys(keys: ShortcutKeys): { key: string; shift: boolean; mod: boolean; alt: boolean } {
  const parts = keys.split('+')
  return {
    key: parts.at(-1) ?? '',
    shift: parts.includes('shift'),
    mod: parts.includes('mod'),
    alt: parts.includes('alt'),
  }
}

/**
 * Whether the shortcut is a single character, which is easily typed by accident or by dictation, so it can be switched
 * off.
 */
export const isSingleKey = (keys: ShortcutKeys): boolean => keys.length === 1

const isLetter = (key: string) => key.toLowerCase() !== key.toUpperCase()

export function isShortcutPressed(keys: ShortcutKeys, event: KeyPress, mac = isMac()): boolean {
  const { key, shift, mod, alt } = parseShortcutKeys(keys)
  if (event.altKey !== alt || (mac ? event.metaKey : event.ctrlKey) !== mod || (mac ? event.ctrlKey : event.metaKey))
    return false
  // Shift turns a digit into another character, which one depends on the keyboard layout.
  if (shift && /^\d$/.test(key)) return event.shiftKey && event.code === `Digit${key}`
  // The position of `/` and `?`, and whether they need Shift, depends on the keyboard layout.
  const anyShift = key.length === 1 && !isLetter(key)
  return event.key.toLowerCase() === key.toLowerCase() && (anyShift || event.shiftKey === shift)
}

const arrowCaps: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓' }

/** The labels as printed on the keys. */
export function formatKeyCaps(keys: ShortcutKeys, mac = isMac()): string[] {
  const { key, shift, mod, alt } = parseShortcutKeys(keys)
  const cap = arrowCaps[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  return [...(mod ? [mac ? '⌘' : 'Ctrl'] : []), ...(alt ? [mac ? '⌥' : 'Alt'] : []), ...(shift ? ['Shift'] : []), cap]
}

/** Formats keys for `aria-keyshortcuts`. */
export function formatAriaKeys(keys: ShortcutKeys, mac = isMac()): string {
  const { key, shift, mod, alt } = parseShortcutKeys(keys)
  return [
    ...(mod ? [mac ? 'Meta' : 'Control'] : []),
    ...(alt ? ['Alt'] : []),
    ...(shift ? ['Shift'] : []),
    key.length === 1 ? key.toUpperCase() : key,
  ].join('+')
}

const fields = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]'
const pressableInputTypes = /^(button|checkbox|radio|range|color|file|submit|reset|image)$/

/** Whether a key pressed in this element types or searches. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  const field = target.closest(fields)
  return field !== null && !(field instanceof HTMLInputElement && pressableInputTypes.test(field.type))
}

/** Whether the element is a row of the ticket list, or in one. */
export const isInTicketRow = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-ticket]') !== null

/** Whether the screen has a conversation or the ticket list: there letters are for the composer or for the focused row. */
export const isConversationScreen = (): boolean =>
  document.querySelector('[data-region="thread"], [data-region="list"], [data-region="conversation"]') !== null

/** Whether the element is in a dialog over the whole page. The menus and popovers of a screen are not. */
export const isInModal = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"][aria-modal="true"]') !== null

/** Whether the element is in a menu, dialog or other overlay, which has its own keys. */
export const isInOverlay = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null
