import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { ariaKeys, isFloating, isPressed, isSingle, isTyping, type Keys } from './shortcut-keys.ts'
import { forget, readText, writeText } from './storage.ts'
import { defineTexts, textsNow } from './texts.ts'
import { toast } from './toast.ts'

const words = defineTexts({
  es: { enter: 'Enter lo hace, cualquier otra tecla lo deja.' },
  pt: { enter: 'Enter faz, qualquer outra tecla deixa como está.' },
  en: { enter: 'Enter does it, any other key leaves it.' },
})

/** Where it stands on the sheet. What is done with the open ticket is offered in the palette, too. */
export type ShortcutGroup = 'general' | 'list' | 'ticket'
export type Shortcut = {
  keys: Keys
  label: string
  group: ShortcutGroup
  /** Null: somebody else hears this key; it is only told here. */
  run: (() => void) | null
  weak: boolean
  asks: boolean
}
type More = {
  label: string
  group?: ShortcutGroup
  /** False: for now this key does nothing, and nobody is told of it. */
  when?: boolean
  /** For the whole desk: a screen may have a better use for the same key. */
  weak?: boolean
  /** A customer would notice: the key alone does nothing, Enter must follow. */
  asks?: boolean
}

let known: readonly Shortcut[] = []
const watchers = new Set<() => void>()

function change(next: readonly Shortcut[]): void {
  known = next
  for (const watcher of watchers) watcher()
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** A key that does something for as long as the component is drawn. Without `run` it is only told on the sheet. */
export function useShortcut(
  keys: Keys,
  run: (() => void) | null,
  { label, group = 'general', when, weak, asks }: More,
): void {
  const act = useEffectEvent(() => run?.())
  const told = run === null
  useEffect(() => {
    if (when === false) return
    const shortcut: Shortcut = { keys, label, group, run: told ? null : act, weak: weak === true, asks: asks === true }
    change([...known, shortcut])
    return () => change(known.filter((one) => one !== shortcut))
  }, [keys, label, group, told, when, weak, asks])
}

/** What the keys do at this moment, each key once. */
export const useShortcuts = (): Shortcut[] => useSyncExternalStore(subscribe, () => known).filter(isLeading)

const isLeading = (one: Shortcut): boolean => leading((other) => other.keys === one.keys) === one

/** Of those who want a key: the newest, unless it is only for want of a better one. */
const leading = (wants: (one: Shortcut) => boolean): Shortcut | undefined =>
  known.findLast((one) => !one.weak && wants(one)) ?? known.findLast(wants)

// ---- on or off: each person's own choice at this browser

const keyOf = () => `shortcuts-${readText('userId') ?? ''}`
export const shortcutsAreOn = (): boolean => readText(keyOf()) !== 'off'

function switchShortcuts(on: boolean): void {
  if (on) forget(keyOf())
  else writeText(keyOf(), 'off')
  change([...known])
}

export const useShortcutsOn = (): [on: boolean, set: (on: boolean) => void] => [
  useSyncExternalStore(subscribe, shortcutsAreOn),
  switchShortcuts,
]

/** What a screen reader is told beside a button whose key is on. */
export function useAriaKeys(keys: Keys): string | undefined {
  const [on] = useShortcutsOn()
  return on || !isSingle(keys) ? ariaKeys(keys) : undefined
}

// ---- hearing

/** Waits for Enter. A letter typed by mistake resolves nothing: the next one already leaves it. */
let asked: { run: () => void; until: number } | null = null
const askedFor = 5000
const toldAs = 'shortcut-asks'

/** For a key that a customer would notice. */
export function askForEnter(label: string, run: () => void): void {
  asked = { run, until: Date.now() + askedFor }
  toast.info(label, textsNow(words).enter, { id: toldAs, lasts: askedFor })
}

/** Whether this key answered what the one before it asked. */
function answers(event: KeyboardEvent): boolean {
  if (!asked || event.key === 'Shift') return false
  const { run, until } = asked
  asked = null
  toast.hide(toldAs)
  const yes = event.key === 'Enter' && Date.now() < until
  if (!yes || isTyping(event.target) || isFloating(event.target)) return false
  event.preventDefault()
  event.stopPropagation()
  run()
  return true
}

function hear(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const meant = leading((one) => one.run !== null && isPressed(one.keys, event))
  if (!meant) return
  if (isSingle(meant.keys) && (!shortcutsAreOn() || isTyping(event.target) || isFloating(event.target))) return
  event.preventDefault()
  if (meant.asks) askForEnter(meant.label, () => meant.run?.())
  else meant.run?.()
}

// Before anybody else: Enter would also press the button or open the row that has the focus.
globalThis.addEventListener?.(
  'keydown',
  ((event: KeyboardEvent) => void answers(event)) as (event: Event) => void,
  true,
)
globalThis.addEventListener?.('keydown', hear as (event: Event) => void)
