import { useEffect, useSyncExternalStore } from 'react'
import { newClientId } from '../../../lib/client-id.ts'
import { readText } from '../../../lib/storage.ts'
import { type Attached, attachedOf, letGo, previewOf } from './attached.ts'
import { keepTray, readTray } from './tray-paper.ts'

const none: Attached[] = []
/** By person, too: another may log in on the same page. */
const trays = new Map<string, Attached[]>()
const keyOf = (place: string) => `${readText('userId')}.${place}`
const watchers = new Set<() => void>()

function set(place: string, files: Attached[]): void {
  keepTray(place, trayOf(place), files)
  trays.set(keyOf(place), files)
  for (const watcher of watchers) watcher()
}

export const trayOf = (place: string): Attached[] => trays.get(keyOf(place)) ?? none

/** Files chosen in a place stay with it while others are looked at, and over a reload. */
export function useTray(place: string): Attached[] {
  useEffect(() => void restore(place), [place])
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => trayOf(place),
  )
}

async function restore(place: string): Promise<void> {
  if (trays.has(keyOf(place))) return
  const left = await readTray(place)
  // Something may have been put there while the database was asked.
  if (left.length === 0 || trays.has(keyOf(place))) return
  set(
    place,
    left.map((one) => ({ ...one, preview: one.file && previewOf(one.file) })),
  )
}

export function addFiles(place: string, files: File[]): void {
  set(place, [...trayOf(place), ...files.map(attachedOf)])
}

/** A place for a file that is still being fetched. */
export async function addComing(place: string, name: string, coming: Promise<File>): Promise<void> {
  const id = newClientId()
  set(place, [...trayOf(place), { id, name, file: null, preview: null, caption: '' }])
  try {
    const file = await coming
    change(place, id, { file, preview: previewOf(file) })
  } catch (error) {
    removeFile(place, id)
    throw error
  }
}

function change(place: string, id: string, change: Partial<Attached>): void {
  set(
    place,
    trayOf(place).map((one) => (one.id === id ? { ...one, ...change } : one)),
  )
}

export const setCaption = (place: string, id: string, caption: string): void => change(place, id, { caption })

export function removeFile(place: string, id: string): void {
  const gone = trayOf(place).find((one) => one.id === id)
  if (gone) letGo(gone)
  set(
    place,
    trayOf(place).filter((one) => one !== gone),
  )
}

/** Takes everything out, to be sent. */
export function emptyTray(place: string): void {
  trayOf(place).forEach(letGo)
  if (trayOf(place).length > 0) set(place, [])
}
