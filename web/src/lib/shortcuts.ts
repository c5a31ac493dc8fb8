import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import {
  formatAriaKeys,
  isConversationScreen,
  isInOverlay,
  isInTicketRow,
  isShortcutPressed,
  isSingleKey,
  isTextField,
  type ShortcutKeys,
} from './shortcut-keys.ts'
import { readStoredText, removeStored, writeStoredText } from './storage.ts'
import { currentTexts, defineTexts } from './texts.ts'
import { toast } from './toast.ts'

const words = defineTexts({
  es: { enter: 'Enter para confirmar, cualquier otra tecla cancela.' },
  pt: { enter: 'Enter confirma, qualquer outra tecla cancela.' },
  en: { enter: 'Enter confirms, any other key cancels.' },
})

/** The section of the shortcut sheet. Actions on the open ticket are also in the palette. */
export type ShortcutGroup = 'general' | 'list' | 'ticket'
export type Shortcut = {
  keys: ShortcutKeys
  label: string
  group: ShortcutGroup
  /** Null when the key is handled elsewhere and only listed here. */
  run: (() => void) | null
  isDefault: boolean
  isAllowedAt: (target: EventTarget | null) => boolean
}
type ShortcutOptions = {
  label: string
  group?: ShortcutGroup
  /** False while the key is inactive and not listed. */
  isActive?: boolean
  /** A global default: a screen may use the same key for something else. */
  isDefault?: boolean
  /**
   * Where the focus must be for the shortcut to act. By default a single key acts only in the list, and other keys act
   * everywhere.
   */
  isAllowedAt?: (target: EventTarget | null) => boolean
}

let registeredShortcuts: readonly Shortcut[] = []
const listeners = new Set<() => void>()

function setRegisteredShortcuts(next: readonly Shortcut[]): void {
  registeredShortcuts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Registers a shortcut while the component is mounted. Without `run` it is only listed on the sheet. */
export function useShortcut(
  keys: ShortcutKeys,
  run: (() => void) | null,
  { label, group = 'general', isActive, isDefault, isAllowedAt }: ShortcutOptions,
): void {
  const runShortcut = useEffectEvent(() => run?.())
  const isAllowed = useEffectEvent((target: EventTarget | null) =>
    isAllowedAt ? isAllowedAt(target) : !isSingleKey(keys) || canSingleKeyAct(target),
  )
  const isListedOnly = run === null
  useEffect(() => {
    if (isActive === false) return
    const shortcut: Shortcut = {
      keys,
      label,
      group,
      run: isListedOnly ? null : runShortcut,
      isDefault: isDefault === true,
      isAllowedAt: isAllowed,
    }
    setRegisteredShortcuts([...registeredShortcuts, shortcut])
    return () => setRegisteredShortcuts(registeredShortcuts.filter((one) => one !== shortcut))
  }, [keys, label, group, isListedOnly, isActive, isDefault])
}

/** The active shortcuts, each key once. */
export const useShortcuts = (): Shortcut[] =>
  useSyncExternalStore(subscribe, () => registeredShortcuts).filter(isActiveShortcut)

const isActiveShortcut = (one: Shortcut): boolean => findActiveShortcut((other) => other.keys === one.keys) === one

/** Of several handlers for a key, finds the newest that is not a default, otherwise a default. */
const findActiveShortcut = (wants: (one: Shortcut) => boolean): Shortcut | undefined =>
  registeredShortcuts.findLast((one) => !one.isDefault && wants(one)) ?? registeredShortcuts.findLast(wants)

// ---- Switching shortcuts on or off, stored per user in this browser

const shortcutsStorageKey = () => `shortcuts-${readStoredText('userId') ?? ''}`
export const areShortcutsEnabled = (): boolean => readStoredText(shortcutsStorageKey()) !== 'off'

function switchShortcuts(on: boolean): void {
  if (on) removeStored(shortcutsStorageKey())
  else writeStoredText(shortcutsStorageKey(), 'off')
  setRegisteredShortcuts([...registeredShortcuts])
}

export const useShortcutsEnabled = (): [on: boolean, set: (on: boolean) => void] => [
  useSyncExternalStore(subscribe, areShortcutsEnabled),
  switchShortcuts,
]

/** The `aria-keyshortcuts` of a button while its key is active. */
export function useAriaKeys(keys: ShortcutKeys): string | undefined {
  const [on] = useShortcutsEnabled()
  return on || !isSingleKey(keys) ? formatAriaKeys(keys) : undefined
}

// ---- Event handling

/** The action that waits for Enter. Any other key cancels it, so that a mistyped letter resolves no ticket. */
let pendingConfirmation: { run: () => void; until: number } | null = null
const confirmTimeoutMs = 5000
const confirmToastId = 'shortcut-asks'

/** Asks for Enter before a key has an effect that the customer would notice. */
export function confirmWithEnter(label: string, run: () => void): void {
  pendingConfirmation = { run, until: Date.now() + confirmTimeoutMs }
  toast.info(label, currentTexts(words).enter, { id: confirmToastId, lasts: confirmTimeoutMs })
}

/** Whether this key confirmed or cancelled the pending confirmation. */
function answersConfirmation(event: KeyboardEvent): boolean {
  if (!pendingConfirmation || event.key === 'Shift') return false
  const { run, until } = pendingConfirmation
  pendingConfirmation = null
  toast.hide(confirmToastId)
  const yes = event.key === 'Enter' && Date.now() < until
  if (!yes || isTextField(event.target) || isInOverlay(event.target)) return false
  event.preventDefault()
  event.stopPropagation()
  run()
  return true
}

function handleKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const shortcut = findActiveShortcut((one) => one.run !== null && isShortcutPressed(one.keys, event))
  if (!shortcut?.isAllowedAt(event.target)) return
  event.preventDefault()
  shortcut.run?.()
}

/** On a screen with conversations a single key acts only while a row of the list has the focus. */
const canSingleKeyAct = (target: EventTarget | null): boolean =>
  areShortcutsEnabled() &&
  !isTextField(target) &&
  !isInOverlay(target) &&
  (isInTicketRow(target) || !isConversationScreen())

// The listener uses the capture phase: Enter would also press the focused button or open the focused row.
globalThis.addEventListener?.(
  'keydown',
  ((event: KeyboardEvent) => void answersConfirmation(event)) as (event: Event) => void,
  true,
)
globalThis.addEventListener?.('keydown', handleKeyDown as (event: Event) => void)
