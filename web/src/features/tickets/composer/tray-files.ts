import { useSyncExternalStore } from 'react'
import { newClientId } from '../outgoing/client-id.ts'

/** A file that waits for its words; `file` is null while a quick reply's is being fetched. */
export type Attached = { id: string; name: string; file: File | null; preview: string | null; caption: string }

const none: Attached[] = []
const trays = new Map<number, Attached[]>()
const watchers = new Set<() => void>()

function set(ticketId: number, files: Attached[]): void {
  if (files.length > 0) trays.set(ticketId, files)
  else trays.delete(ticketId)
  for (const watcher of watchers) watcher()
}

export const trayOf = (ticketId: number): Attached[] => trays.get(ticketId) ?? none

/** Files chosen for a ticket stay with it while others are looked at. */
export const useTray = (ticketId: number): Attached[] =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => trayOf(ticketId),
  )

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
  set(ticketId, [])
}
