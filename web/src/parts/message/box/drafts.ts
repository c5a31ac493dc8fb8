import { useCallback, useSyncExternalStore } from 'react'
import { forget, readJson, readText, writeJson } from '../../../lib/storage.ts'

type Draft = { text: string; at: number }

/** More half-written answers than anybody comes back to; the oldest go. */
const most = 200
const prefix = 'recado.draft.'
const ours = () => `${prefix}${readText('userId') ?? ''}.`
/** `place`: where it is being written, such as the answer of a ticket. */
const keyOf = (place: string) => ours() + place

const watchers = new Set<() => void>()
const tell = () => {
  for (const watcher of watchers) watcher()
}
/** Text as it stands now. Reading the storage on every drawing would parse it on every key. */
const known = new Map<string, string>()

export function readDraft(place: string): string {
  const key = keyOf(place)
  const text = known.get(key) ?? readJson<Draft | null>(key, null)?.text ?? ''
  known.set(key, text)
  return text
}

export function writeDraft(place: string, text: string): void {
  const key = keyOf(place)
  if (known.get(key) === text) return
  const fresh = !known.get(key)
  known.set(key, text)
  if (text === '') forget(key)
  else writeJson(key, { text, at: Date.now() } satisfies Draft)
  if (fresh && text !== '') prune()
  tell()
}

function prune(): void {
  const kept = storedKeys().map((key) => ({ key, at: readJson<Draft | null>(key, null)?.at ?? 0 }))
  for (const { key } of tooMany(kept, most)) {
    known.delete(key)
    forget(key)
  }
}

/** The oldest of those above the limit. */
export const tooMany = <D extends { at: number }>(drafts: D[], limit: number): D[] =>
  drafts.toSorted((a, b) => b.at - a.at).slice(limit)

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(ours()))
  } catch {
    return []
  }
}

/** Another tab of the same person wrote, or sent, what stands here too. */
function follow(event: StorageEvent): void {
  if (!event.key?.startsWith(prefix)) return
  known.delete(event.key)
  tell()
}

function subscribe(watcher: () => void): () => void {
  if (watchers.size === 0) addEventListener('storage', follow)
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
    if (watchers.size === 0) removeEventListener('storage', follow)
  }
}

/** What is being written in this place; it outlives switching, reloads and whatever happens in between. */
export function useDraft(place: string): [text: string, write: (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => readDraft(place))
  const write = useCallback((next: string) => writeDraft(place, next), [place])
  return [text, write]
}

// ---- what came back from the thread

const returns = new Set<(place: string) => void>()

/** Words that were not sent stand in the box again, after what is already there. */
export function putBack(place: string, text: string): void {
  writeDraft(place, joined(readDraft(place), text))
  for (const hear of returns) hear(place)
}

export const joined = (there: string, back: string): string =>
  [there.trimEnd(), back].filter((part) => part !== '').join('\n')

export function onPutBack(hear: (place: string) => void): () => void {
  returns.add(hear)
  return () => returns.delete(hear)
}
