import { useEffect, useSyncExternalStore } from 'react'
import { newClientId } from '../../../lib/client-id.ts'
import { readStoredText } from '../../../lib/storage.ts'
import { type AttachedFile, createImagePreview, revokePreview, toAttachedFile } from './attached-file.ts'
import { readStoredAttachedFiles, storeAttachedFiles } from './attached-files-storage.ts'

const noFiles: AttachedFile[] = []
/** The attached files by place and user: another user may log in on the same page. */
const trays = new Map<string, AttachedFile[]>()
const trayKeyOfUser = (place: string) => `${readStoredText('userId')}.${place}`
const listeners = new Set<() => void>()

function setAttachedFiles(place: string, files: AttachedFile[]): void {
  storeAttachedFiles(place, getAttachedFiles(place), files)
  trays.set(trayKeyOfUser(place), files)
  for (const listener of listeners) listener()
}

export const getAttachedFiles = (place: string): AttachedFile[] => trays.get(trayKeyOfUser(place)) ?? noFiles

/**
 * The attached files of a place (a ticket's composer). They are kept while the user is on another ticket or screen, and
 * across a reload.
 */
export function useAttachedFiles(place: string): AttachedFile[] {
  useEffect(() => void restoreAttachedFiles(place), [place])
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => getAttachedFiles(place),
  )
}

async function restoreAttachedFiles(place: string): Promise<void> {
  if (trays.has(trayKeyOfUser(place))) return
  const left = await readStoredAttachedFiles(place)
  // Files may have been added during the database query.
  if (left.length === 0 || trays.has(trayKeyOfUser(place))) return
  setAttachedFiles(
    place,
    left.map((one) => ({ ...one, preview: one.file && createImagePreview(one.file) })),
  )
}

export function addAttachedFiles(place: string, files: File[]): void {
  setAttachedFiles(place, [...getAttachedFiles(place), ...files.map(toAttachedFile)])
}

/** Adds a placeholder for a file that is still loading. */
export async function addPendingFile(place: string, name: string, coming: Promise<File>): Promise<void> {
  const id = newClientId()
  setAttachedFiles(place, [...getAttachedFiles(place), { id, name, file: null, preview: null, caption: '' }])
  try {
    const file = await coming
    updateAttachedFile(place, id, { file, preview: createImagePreview(file) })
  } catch (error) {
    removeAttachedFile(place, id)
    throw error
  }
}

function updateAttachedFile(place: string, id: string, change: Partial<AttachedFile>): void {
  setAttachedFiles(
    place,
    getAttachedFiles(place).map((one) => (one.id === id ? { ...one, ...change } : one)),
  )
}

export const setCaption = (place: string, id: string, caption: string): void =>
  updateAttachedFile(place, id, { caption })

export function removeAttachedFile(place: string, id: string): void {
  const gone = getAttachedFiles(place).find((one) => one.id === id)
  if (gone) revokePreview(gone)
  setAttachedFiles(
    place,
    getAttachedFiles(place).filter((one) => one !== gone),
  )
}

/** Removes all attached files of a place when they are sent. */
export function clearAttachedFiles(place: string): void {
  getAttachedFiles(place).forEach(revokePreview)
  if (getAttachedFiles(place).length > 0) setAttachedFiles(place, [])
}
