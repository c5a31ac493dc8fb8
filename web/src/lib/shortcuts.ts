import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import {
  formatAriaKeys,
  isInOverlay,
  isShortcutPressed,
  isSingleKey,
  isTextField,
  type ShortcutKeys,
} from './shortcut-keys.ts'
import { readStoredText, removeStored, writeStoredText } from './storage.ts'
import { currentTexts, defineTexts } from './texts.ts'
import { toast } from './toast.ts'

const words = defineTexts({
  es: { enter: 'Enter lo hace, cualquier otra tecla lo deja.' },
  pt: { enter: 'Enter faz, qualquer outra tecla deixa como está.' },
  en: { enter: 'Enter does it, any other key leaves it.' },
})

/** Where it stands on the sheet. What is done with the open ticket is offered in the palette, too. */
export type ShortcutGroup = 'general' | 'list' | 'ticket'
export type Shortcut = {
  keys: ShortcutKeys
  label: string
  group: ShortcutGroup
  /** Null: somebody else hears this key; it is only told here. */
  run: (() => void) | null
  weak: boolean
  asks: boolean
}
type ShortcutOptions = {
  label: string
  group?: ShortcutGroup
  /** False: for now this key does nothing, and nobody is told of it. */
  when?: boolean
  /** For the whole desk: a screen may have a better use for the same key. */
  weak?: boolean
  /** A customer would notice: the key alone does nothing, Enter must follow. */
  asks?: boolean
}

let registeredShortcuts: readonly Shortcut[] = []
const watchers = new Set<() => void>()

function setRegisteredShortcuts(next: readonly Shortcut[]): void {
  registeredShortcuts = next
  for (const watcher of watchers) watcher()
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** A key that does something for as long as the component is drawn. Without `run` it is only told on the sheet. */
export function useShortcut(
  keys: ShortcutKeys,
  run: (() => void) | null,
  { label, group = 'general', when, weak, asks }: ShortcutOptions,
): void {
  const act = useEffectEvent(() => run?.())
  const told = run === null
  useEffect(() => {
    if (when === false) return
    const shortcut: Shortcut = { keys, label, group, run: told ? null : act, weak: weak === true, asks: asks === true }
    setRegisteredShortcuts([...registeredShortcuts, shortcut])
    return () => setRegisteredShortcuts(registeredShortcuts.filter((one) => one !== shortcut))
  }, [keys, label, group, told, when, weak, asks])
}

/** What the keys do at this moment, each key once. */
export const useShortcuts = (): Shortcut[] =>
  useSyncExternalStore(subscribe, () => registeredShortcuts).filter(isActiveShortcut)

const isActiveShortcut = (one: Shortcut): boolean => findActiveShortcut((other) => other.keys === one.keys) === one

/** Of those who want a key: the newest, unless it is only for want of a better one. */
const findActiveShortcut = (wants: (one: Shortcut) => boolean): Shortcut | undefined =>
  registeredShortcuts.findLast((one) => !one.weak && wants(one)) ?? registeredShortcuts.findLast(wants)

// ---- on or off: each person's own choice at this browser

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

/** What a screen reader is told beside a button whose key is on. */
export function useAriaKeys(keys: ShortcutKeys): string | undefined {
  const [on] = useShortcutsEnabled()
  return on || !isSingleKey(keys) ? formatAriaKeys(keys) : undefined
}

// ---- hearing

/** Waits for Enter. A letter typed by mistake resolves nothing: the next one already leaves it. */
let pendingConfirmation: { run: () => void; until: number } | null = null
const confirmTimeoutMs = 5000
const confirmToastId = 'shortcut-asks'

/** For a key that a customer would notice. */
export function confirmWithEnter(label: string, run: () => void): void {
  pendingConfirmation = { run, until: Date.now() + confirmTimeoutMs }
  toast.info(label, currentTexts(words).enter, { id: confirmToastId, lasts: confirmTimeoutMs })
}

/** Whether this key answered what the one before it asked. */
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
  const meant = findActiveShortcut((one) => one.run !== null && isShortcutPressed(one.keys, event))
  if (!meant) return
  if (isSingleKey(meant.keys) && (!areShortcutsEnabled() || isTextField(event.target) || isInOverlay(event.target)))
    return
  event.preventDefault()
  if (meant.asks) confirmWithEnter(meant.label, () => meant.run?.())
  else meant.run?.()
}

// Before anybody else: Enter would also press the button or open the row that has the focus.
globalThis.addEventListener?.(
  'keydown',
  ((event: KeyboardEvent) => void answersConfirmation(event)) as (event: Event) => void,
  true,
)
globalThis.addEventListener?.('keydown', handleKeyDown as (event: Event) => void)
