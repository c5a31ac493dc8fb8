import { useEffect, useSyncExternalStore } from 'react'
import { newClientId } from '../../../lib/client-id.ts'
import { readText } from '../../../lib/storage.ts'
import type { Attached } from './attached.ts'
import { keepTray, readTray } from './tray-paper.ts'

const none: Attached[] = []
/** By person, too: another may log in on the same page. */
const trays = new Map<string, Attached[]>()
const keyOf = (ticketId: number) => `${readText('userId')}.${ticketId}`
const watchers = new Set<() => void>()

function set(ticketId: number, files: Attached[]): void {
  keepTray(ticketId, trayOf(ticketId), files)
  trays.set(keyOf(ticketId), files)
  for (const watcher of watchers) watcher()
}

export const trayOf = (ticketId: number): Attached[] => trays.get(keyOf(ticketId)) ?? none

/** Files chosen for a ticket stay with it while others are looked at, and over a reload. */
export function useTray(ticketId: number): Attached[] {
  useEffect(() => void restore(ticketId), [ticketId])
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => trayOf(ticketId),
  )
}

async function restore(ticketId: number): Promise<void> {
  if (trays.has(keyOf(ticketId))) return
  const left = await readTray(ticketId)
  // Something may have been put there while the database was asked.
  if (left.length === 0 || trays.has(keyOf(ticketId))) return
  set(
    ticketId,
    left.map((one) => ({ ...one, preview: one.file && previewOf(one.file) })),
  )
}

const previewOf = (file: File) => (file.type.startsWith('image/') ? URL.createObjectURL(file) : null)

export function addFiles(ticketId: number, files: File[]): void {
  const added = files.map((file) => ({
    id: newClientId(),
    name: file.name,
    file,
    preview: previewOf(file),
    caption: '',
  }))
  set(ticketId, [...trayOf(ticketId), ...added])
}

/** A place for a file that is still being fetched. */
export async function addComing(ticketId: number, name: string, coming: Promise<File>): Promise<void> {
  const id = newClientId()
  set(ticketId, [...trayOf(ticketId), { id, name, file: null, preview: null, caption: '' }])
  try {
    const file = await coming
    change(ticketId, id, { file, preview: previewOf(file) })
  } catch (error) {
    removeFile(ticketId, id)
    throw error
  }
}

function change(ticketId: number, id: string, change: Partial<Attached>): void {
  set(
    ticketId,
    trayOf(ticketId).map((one) => (one.id === id ? { ...one, ...change } : one)),
  )
}

export const setCaption = (ticketId: number, id: string, caption: string): void => change(ticketId, id, { caption })

export function removeFile(ticketId: number, id: string): void {
  const gone = trayOf(ticketId).find((one) => one.id === id)
  if (gone?.preview) URL.revokeObjectURL(gone.preview)
  set(
    ticketId,
    trayOf(ticketId).filter((one) => one !== gone),
  )
}

/** Takes everything out, to be sent. */
export function emptyTray(ticketId: number): void {
  for (const { preview } of trayOf(ticketId)) if (preview) URL.revokeObjectURL(preview)
  if (trayOf(ticketId).length > 0) set(ticketId, [])
}
