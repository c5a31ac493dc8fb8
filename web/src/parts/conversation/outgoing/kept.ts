import { ApiError, type FailureCode } from '../../../lib/api.ts'
import { forget, readJson, readText, writeJson } from '../../../lib/storage.ts'
import type { Entry } from './queue.ts'

/** What stands on the browser's paper: an entry, whose page wrote it, and why it failed. */
type Paper = { entry: Entry; tab: string; failure: { code: FailureCode; status: number } | null }

const prefix = (userId: number) => `recado.outgoing.${userId}.`

/** One paper per message: two tabs never overwrite each other's. */
export function keepEntry(userId: number, tab: string, entry: Entry): void {
  const { error } = entry
  const failure = error instanceof ApiError ? { code: error.code, status: error.status } : null
  const plain = { ...entry, error: null, progress: null, file: entry.file && { ...entry.file, preview: null } }
  writeJson(prefix(userId) + entry.clientId, { entry: plain, tab, failure } satisfies Paper)
}

export const forgetEntry = (userId: number, clientId: string): void => forget(prefix(userId) + clientId)

export const isKept = (userId: number, clientId: string): boolean => readText(prefix(userId) + clientId) !== null

/** What this person's earlier pages left, in the order it was written; `mine` says whose papers may be taken over. */
export function readKept(userId: number, mine: (tab: string) => boolean): Entry[] {
  const papers = keys()
    .filter((key) => key.startsWith(prefix(userId)))
    .map((key) => readJson<Paper | null>(key, null))
    .filter((paper): paper is Paper => paper !== null && mine(paper.tab))
  return papers
    .map(({ entry, failure }) => ({ ...entry, error: failure && new ApiError(failure.code, failure.status) }))
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}

function keys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    // Storage can be forbidden, see lib/storage.ts.
    return []
  }
}

// ---- whose page is still open?

/** The same after a reload, another in another tab. */
export const tab: string = (() => {
  try {
    const known = sessionStorage.getItem('recado.tab') ?? Math.random().toString(36).slice(2)
    sessionStorage.setItem('recado.tab', known)
    return known
  } catch {
    return Math.random().toString(36).slice(2)
  }
})()

const lockOf = (name: string) => `recado-tab-${name}`

/** Held as long as this page lives: other tabs see that somebody minds its messages. */
export function holdTab(): void {
  void navigator.locks?.request(lockOf(tab), () => new Promise(() => undefined)).catch(() => undefined)
}

/** Tabs that nobody looks after any more, this one among them. Where nothing can be known, sending twice is harmless. */
export async function orphaned(): Promise<(owner: string) => boolean> {
  const known = await navigator.locks?.query().catch(() => null)
  const held = new Set(known?.held?.map(({ name }) => name))
  return (owner) => owner === tab || !held.has(lockOf(owner))
}
