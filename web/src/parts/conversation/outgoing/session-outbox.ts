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

/** The outbox of this page, and of whoever is logged in on it. */
export const outbox = createBrowserOutbox({
  send: async (entry, handed) => sendEntry(entry, entry.file && (await readOutgoingFile(entry.clientId)), handed),
  passing: isTransientSendError,
  open: () => ownerId !== null && readToken() !== null && readStoredText('userId') === String(ownerId),
  keep: (entry) => ownerId !== null && storeEntry(ownerId, tabId, entry),
  forget: ({ clientId, file }) => {
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
  // The page closed before the file was written down, or the browser cleared it away.
  if (!file) throw new ApiError('ERR_NO_FILE_FOUND', 404)
  files.set(clientId, file)
  return file
}

/** The page's own address of a file. It is let go with the page: the bubble that shows it may outlive the sending. */
export const createPreviewUrl = (file: File | undefined): string | null =>
  file && /^(image|video|audio)\//.test(file.type) ? URL.createObjectURL(file) : null

// ---- who is at work here

/** Takes up what this person left unsent, in this tab or in one that was closed. */
async function adoptStoredEntries(userId: number, mine: boolean): Promise<void> {
  const free = await getOrphanedTabCheck()
  const known = new Set(outbox.entries().map(({ clientId }) => clientId))
  const left = readStoredEntries(userId, (whose) => (mine || whose !== tabId) && free(whose))
  const entries = left.filter(({ clientId }) => !known.has(clientId))
  for (const entry of entries) if (entry.file) entry.file.preview = createPreviewUrl(await readBlob(entry.clientId))
  // Another tab may have sent it, or another person sat down, while the database was asked.
  if (ownerId !== userId) return
  const still = entries.filter(({ clientId }) => isEntryStored(userId, clientId))
  for (const entry of still) storeEntry(userId, tabId, entry)
  outbox.adopt(still)
}

/** The network is back, and perhaps a tab that was closed without it left something. */
function resumeSending(): void {
  outbox.wake()
  if (ownerId !== null) void adoptStoredEntries(ownerId, false)
}

function startFor(userId: number): void {
  if (ownerId === userId) {
    outbox.wake()
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

/** Keeps the outbox of whoever is logged in at work, for as long as the one who asks is drawn. */
export function useRunOutbox(): void {
  const userId = useSession().user?.id
  useEffect(() => {
    if (userId !== undefined) startFor(userId)
  }, [userId])
  useResync(outbox.wake)
  useLiveTopic(topics.message, ({ message }) => outbox.settle(message))
}
