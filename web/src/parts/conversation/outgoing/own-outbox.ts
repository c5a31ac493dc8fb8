import { topics } from '@recado/contract/live'
import { useEffect } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { dropBlob, keepBlob, readBlob } from '../../../lib/blobs.ts'
import { useLive, useResync } from '../../../lib/live.ts'
import { useSession } from '../../../lib/session.tsx'
import { readText, readToken } from '../../../lib/storage.ts'
import { forgetEntry, holdTab, isKept, keepEntry, orphaned, readKept, tab } from './kept.ts'
import { makeOutbox } from './outbox.ts'
import { passes, sendEntry } from './send.ts'

let owner: number | null = null
const files = new Map<string, File>()

/** The outbox of this page, and of whoever is logged in on it. */
export const outbox = makeOutbox({
  send: async (entry, handed) => sendEntry(entry, entry.file && (await fileOf(entry.clientId)), handed),
  passing: passes,
  open: () => owner !== null && readToken() !== null && readText('userId') === String(owner),
  keep: (entry) => owner !== null && keepEntry(owner, tab, entry),
  forget: ({ clientId, file }) => {
    if (owner !== null) forgetEntry(owner, clientId)
    files.delete(clientId)
    if (file) void dropBlob(clientId)
  },
})

export function keepFile(clientId: string, file: File): void {
  files.set(clientId, file)
  void keepBlob(clientId, file)
}

export async function fileOf(clientId: string): Promise<File> {
  const file = files.get(clientId) ?? (await readBlob(clientId))
  // The page closed before the file was written down, or the browser cleared it away.
  if (!file) throw new ApiError('ERR_NO_FILE_FOUND', 404)
  files.set(clientId, file)
  return file
}

/** The page's own address of a file. It is let go with the page: the bubble that shows it may outlive the sending. */
export const previewOf = (file: File | undefined): string | null =>
  file && /^(image|video|audio)\//.test(file.type) ? URL.createObjectURL(file) : null

// ---- who is at work here

/** Takes up what this person left unsent, in this tab or in one that was closed. */
async function takeUp(userId: number, mine: boolean): Promise<void> {
  const free = await orphaned()
  const known = new Set(outbox.entries().map(({ clientId }) => clientId))
  const left = readKept(userId, (whose) => (mine || whose !== tab) && free(whose))
  const entries = left.filter(({ clientId }) => !known.has(clientId))
  for (const entry of entries) if (entry.file) entry.file.preview = previewOf(await readBlob(entry.clientId))
  // Another tab may have sent it, or another person sat down, while the database was asked.
  if (owner !== userId) return
  const still = entries.filter(({ clientId }) => isKept(userId, clientId))
  for (const entry of still) keepEntry(userId, tab, entry)
  outbox.adopt(still)
}

/** The network is back, and perhaps a tab that was closed without it left something. */
function resume(): void {
  outbox.wake()
  if (owner !== null) void takeUp(owner, false)
}

function begin(userId: number): void {
  if (owner === userId) {
    outbox.wake()
    return
  }
  if (owner === null) {
    holdTab()
    addEventListener('online', resume)
  }
  outbox.clear()
  owner = userId
  void takeUp(userId, true)
}

/** Keeps the outbox of whoever is logged in at work, for as long as the one who asks is drawn. */
export function useOutbox(): void {
  const userId = useSession().user?.id
  useEffect(() => {
    if (userId !== undefined) begin(userId)
  }, [userId])
  useResync(outbox.wake)
  useLive(topics.message, ({ message }) => outbox.settle(message))
}
