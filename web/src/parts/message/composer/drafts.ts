import { useCallback, useSyncExternalStore } from 'react'
import { readStoredJson, readStoredText, removeStored, writeStoredJson } from '../../../lib/storage.ts'

/**
 * A draft in this browser, with the time of its last change. `savedAt`: the server has this text, with this timestamp.
 * An empty text is stored until the server knows that the draft was sent or deleted.
 */
export type StoredDraft = { text: string; at: number; savedAt?: string }

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
  if (readDraft(place) === text) return
  storeDraft(place, text === '' && !isOnServer(place) ? null : { text, at: Date.now() })
  for (const onWritten of writtenListeners) onWritten(place)
}

/** Drafts in tickets are also on the server (draft-sync.ts); those of the team's chats only here. */
export const isOnServer = (place: string): boolean => /^\d+\.(reply|note)$/.test(place)

export const readStoredDraft = (place: string): StoredDraft | null =>
  readStoredJson<StoredDraft | null>(draftStorageKey(place), null)

/** Stores a draft as it is; null deletes it. */
export function storeDraft(place: string, draft: StoredDraft | null): void {
  const key = draftStorageKey(place)
  const fresh = !cachedDrafts.get(key)
  cachedDrafts.set(key, draft?.text ?? '')
  if (draft) writeStoredJson(key, draft)
  else removeStored(key)
  if (fresh && draft?.text) pruneDrafts()
  notifyWatchers()
}

/** The places of this user's drafts in this browser. */
export const listDraftPlaces = (): string[] => storedKeys().map((key) => key.slice(ownPrefix().length))

const writtenListeners = new Set<(place: string) => void>()
/** Notifies of drafts that were typed here. */
export function onDraftWritten(listener: (place: string) => void): () => void {
  writtenListeners.add(listener)
  return () => writtenListeners.delete(listener)
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
