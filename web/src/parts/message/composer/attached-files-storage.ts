import { deleteBlob, readBlob, storeBlob } from '../../../lib/blob-store.ts'
import { readStoredJson, readStoredText, removeStored, writeStoredJson } from '../../../lib/storage.ts'
import type { AttachedFile } from './attached-file.ts'

/** The stored list of attached files; the files themselves are in IndexedDB. */
type StoredTray = { at: number; files: Pick<AttachedFile, 'id' | 'name' | 'caption'>[] }

/** Files older than this are deleted, because they take space. */
const storedTrayTtlMs = 7 * 24 * 3_600_000
const prefix = () => `recado.tray.${readStoredText('userId') ?? ''}.`
const blobName = (id: string) => `tray-${id}`

/** Stores the current tray, and deletes removed files. */
export function storeAttachedFiles(place: string, before: AttachedFile[], now: AttachedFile[]): void {
  const here = new Set(now.map(({ id }) => id))
  for (const { id } of before) if (!here.has(id)) void deleteBlob(blobName(id))
  const known = new Set(before.filter(({ file }) => file).map(({ id }) => id))
  for (const { id, file } of now) if (file && !known.has(id)) void storeBlob(blobName(id), file)
  const files = now.filter(({ file }) => file).map(({ id, name, caption }) => ({ id, name, caption }))
  const key = prefix() + place
  if (files.length > 0) writeStoredJson(key, { at: Date.now(), files } satisfies StoredTray)
  else removeStored(key)
}

/** The tray stored by an earlier page load. */
export async function readStoredAttachedFiles(place: string): Promise<Omit<AttachedFile, 'preview'>[]> {
  removeExpiredTrays()
  const paper = readStoredJson<StoredTray | null>(prefix() + place, null)
  const found = await Promise.all(
    (paper?.files ?? []).map(async (one) => ({ ...one, file: await readBlob(blobName(one.id)) })),
  )
  return found.flatMap(({ file, ...one }) => (file ? [{ ...one, file }] : []))
}

function removeExpiredTrays(): void {
  for (const key of storageKeys().filter((one) => one.startsWith('recado.tray.'))) {
    const paper = readStoredJson<StoredTray | null>(key, null)
    if (paper && Date.now() - paper.at < storedTrayTtlMs) continue
    for (const { id } of paper?.files ?? []) void deleteBlob(blobName(id))
    removeStored(key)
  }
}

function storageKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}
