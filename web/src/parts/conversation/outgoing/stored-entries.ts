import { ApiError, type FailureCode } from '../../../lib/api.ts'
import { readStoredJson, readStoredText, removeStored, writeStoredJson } from '../../../lib/storage.ts'
import type { OutboxEntry } from './outbox-queue.ts'

/** A stored entry with the tab that wrote it, and the failure reason. */
type StoredEntry = { entry: OutboxEntry; tab: string; failure: { code: FailureCode; status: number } | null }

const prefix = (userId: number) => `recado.outgoing.${userId}.`

/** Stores each message under its own key, so that two tabs never overwrite each other's messages. */
export function storeEntry(userId: number, tab: string, entry: OutboxEntry): void {
  const { error } = entry
  const failure = error instanceof ApiError ? { code: error.code, status: error.status } : null
  const plain = { ...entry, error: null, progress: null, file: entry.file && { ...entry.file, preview: null } }
  writeStoredJson(prefix(userId) + entry.clientId, { entry: plain, tab, failure } satisfies StoredEntry)
}

export const removeStoredEntry = (userId: number, clientId: string): void => removeStored(prefix(userId) + clientId)

export const isEntryStored = (userId: number, clientId: string): boolean =>
  readStoredText(prefix(userId) + clientId) !== null

/** Entries left by this user's earlier page loads, in order; `mine` says which tabs' entries may be taken over. */
export function readStoredEntries(userId: number, mine: (tab: string) => boolean): OutboxEntry[] {
  const papers = storageKeys()
    .filter((key) => key.startsWith(prefix(userId)))
    .map((key) => readStoredJson<StoredEntry | null>(key, null))
    .filter((paper): paper is StoredEntry => paper !== null && mine(paper.tab))
  return papers
    .map(({ entry, failure }) => ({ ...entry, error: failure && new ApiError(failure.code, failure.status) }))
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}

function storageKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    // Storage may be forbidden, see lib/storage.ts.
    return []
  }
}

// ---- Which tabs are still open

/** The id of this tab, which stays the same after a reload and differs in another tab. */
export const tabId: string = (() => {
  try {
    const known = sessionStorage.getItem('recado.tab') ?? Math.random().toString(36).slice(2)
    sessionStorage.setItem('recado.tab', known)
    return known
  } catch {
    return Math.random().toString(36).slice(2)
  }
})()

const tabLockName = (name: string) => `recado-tab-${name}`

/** Holds a lock while this page lives, so that other tabs see that its messages are being sent. */
export function lockTab(): void {
  void navigator.locks?.request(tabLockName(tabId), () => new Promise(() => undefined)).catch(() => undefined)
}

/**
 * Returns a check whether a tab is closed or this tab. Without browser locks this cannot be known, but sending twice is
 * harmless.
 */
export async function getOrphanedTabCheck(): Promise<(owner: string) => boolean> {
  const known = await navigator.locks?.query().catch(() => null)
  const held = new Set(known?.held?.map(({ name }) => name))
  return (owner) => owner === tabId || !held.has(tabLockName(owner))
}
