import { topics } from '@recado/contract/live'
import { useEffect } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { deleteBlob, readBlob, storeBlob } from '../../../lib/blob-store.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import { useSession } from '../../../lib/session.tsx'
import { readStoredText, readToken } from '../../../lib/storage.ts'
import { createBrowserOutbox } from './outbox.ts'
import { isTransientSendError, sendEntry } from './send-entry.ts'
import {
  getOrphanedTabCheck,
  isEntryStored,
  lockTab,
  readStoredEntries,
  removeStoredEntry,
  storeEntry,
  tabId,
} from './stored-entries.ts'

let ownerId: number | null = null
const files = new Map<string, File>()

/** The outbox of this page, for the logged-in user. */
export const outbox = createBrowserOutbox({
  send: async (entry, handed) => sendEntry(entry, entry.file && (await readOutgoingFile(entry.clientId)), handed),
  isTransient: isTransientSendError,
  canSend: () => ownerId !== null && readToken() !== null && readStoredText('userId') === String(ownerId),
  storeEntry: (entry) => ownerId !== null && storeEntry(ownerId, tabId, entry),
  removeEntry: ({ clientId, file }) => {
    if (ownerId !== null) removeStoredEntry(ownerId, clientId)
    files.delete(clientId)
    if (file) void deleteBlob(clientId)
  },
})

export function storeOutgoingFile(clientId: string, file: File): void {
  files.set(clientId, file)
  void storeBlob(clientId, file)
}

export async function readOutgoingFile(clientId: string): Promise<File> {
  const file = files.get(clientId) ?? (await readBlob(clientId))
  // The page was closed before the file was stored, or the browser deleted it.
  if (!file) throw new ApiError('ERR_NO_FILE_FOUND', 404)
  files.set(clientId, file)
  return file
}

/** Creates a local URL of a file. It is released with the page, because the bubble may be shown longer than the sending. */
export const createPreviewUrl = (file: File | undefined): string | null =>
  file && /^(image|video|audio)\//.test(file.type) ? URL.createObjectURL(file) : null

// ---- The current user

/** Takes over this user's unsent messages from this tab or a closed tab. */
async function adoptStoredEntries(userId: number, mine: boolean): Promise<void> {
  const free = await getOrphanedTabCheck()
  const known = new Set(outbox.entries().map(({ clientId }) => clientId))
  const left = readStoredEntries(userId, (whose) => (mine || whose !== tabId) && free(whose))
  const entries = left.filter(({ clientId }) => !known.has(clientId))
  for (const entry of entries) if (entry.file) entry.file.preview = createPreviewUrl(await readBlob(entry.clientId))
  // During the database query, another tab may have sent the message, or another user logged in.
  if (ownerId !== userId) return
  const still = entries.filter(({ clientId }) => isEntryStored(userId, clientId))
  for (const entry of still) storeEntry(userId, tabId, entry)
  outbox.restore(still)
}

/** Called when the network is back: retries, and takes over messages of a tab that was closed while offline. */
function resumeSending(): void {
  outbox.retryNow()
  if (ownerId !== null) void adoptStoredEntries(ownerId, false)
}

function startFor(userId: number): void {
  if (ownerId === userId) {
    outbox.retryNow()
    return
  }
  if (ownerId === null) {
    lockTab()
    addEventListener('online', resumeSending)
  }
  outbox.clear()
  ownerId = userId
  void adoptStoredEntries(userId, true)
}

/** Runs the outbox of the logged-in user while the component is mounted. */
export function useRunOutbox(): void {
  const userId = useSession().user?.id
  useEffect(() => {
    if (userId !== undefined) startFor(userId)
  }, [userId])
  useResync(outbox.retryNow)
  useLiveTopic(topics.message, ({ message }) => outbox.confirmStored(message))
}
