import { useCallback, useSyncExternalStore } from 'react'
import { readStoredJson, readStoredText, removeStored, writeStoredJson } from '../../../lib/storage.ts'

type StoredDraft = { text: string; at: number }

/** Maximum number of drafts; the oldest drafts above it are deleted. */
const maxDrafts = 200
const prefix = 'recado.draft.'
const ownPrefix = () => `${prefix}${readStoredText('userId') ?? ''}.`
/** `place`: where the draft is written, such as the reply of a ticket. */
const draftStorageKey = (place: string) => ownPrefix() + place

const listeners = new Set<() => void>()
const notifyWatchers = () => {
  for (const listener of listeners) listener()
}
/** Copies of drafts in memory: otherwise every key press would read and parse the storage. */
const cachedDrafts = new Map<string, string>()

export function readDraft(place: string): string {
  const key = draftStorageKey(place)
  const text = cachedDrafts.get(key) ?? readStoredJson<StoredDraft | null>(key, null)?.text ?? ''
  cachedDrafts.set(key, text)
  return text
}

export function writeDraft(place: string, text: string): void {
  const key = draftStorageKey(place)
  if (cachedDrafts.get(key) === text) return
  const fresh = !cachedDrafts.get(key)
  cachedDrafts.set(key, text)
  if (text === '') removeStored(key)
  else writeStoredJson(key, { text, at: Date.now() } satisfies StoredDraft)
  if (fresh && text !== '') pruneDrafts()
  notifyWatchers()
}

function pruneDrafts(): void {
  const kept = storedKeys().map((key) => ({ key, at: readStoredJson<StoredDraft | null>(key, null)?.at ?? 0 }))
  for (const { key } of oldestOverLimit(kept, maxDrafts)) {
    cachedDrafts.delete(key)
    removeStored(key)
  }
}

/** The oldest drafts above the limit. */
export const oldestOverLimit = <D extends { at: number }>(drafts: D[], limit: number): D[] =>
  drafts.toSorted((a, b) => b.at - a.at).slice(limit)

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(ownPrefix()))
  } catch {
    return []
  }
}

/** Another tab of the same user changed or sent this draft. */
function onStorageChange(event: StorageEvent): void {
  if (!event.key?.startsWith(prefix)) return
  cachedDrafts.delete(event.key)
  notifyWatchers()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('storage', onStorageChange)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('storage', onStorageChange)
  }
}

/** The draft of this place; it survives switching to another ticket, and reloads. */
export function useDraft(place: string): [text: string, write: (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => readDraft(place))
  const write = useCallback((next: string) => writeDraft(place, next), [place])
  return [text, write]
}

// ---- Restored text of unsent messages

const returnListeners = new Set<(place: string) => void>()

/** Puts unsent text back into the composer, after the existing text. */
export function returnToDraft(place: string, text: string): void {
  writeDraft(place, joinDrafts(readDraft(place), text))
  for (const hear of returnListeners) hear(place)
}

export const joinDrafts = (there: string, back: string): string =>
  [there.trimEnd(), back].filter((part) => part !== '').join('\n')

export function onReturnedToDraft(hear: (place: string) => void): () => void {
  returnListeners.add(hear)
  return () => returnListeners.delete(hear)
}
