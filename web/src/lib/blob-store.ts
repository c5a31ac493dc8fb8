import { attachVoice, type Voice, voiceOf } from './voices.ts'

/**
 * Files waiting to be sent, stored to survive a reload. localStorage holds only text, so IndexedDB is used. If IndexedDB
 * is forbidden or full, a file is lost when its page closes, as it would be without this store.
 */
const store = 'files'
let opened: Promise<IDBDatabase> | undefined

function openDatabase(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('recado-outgoing', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(store)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

async function runTransaction<T>(
  mode: IDBTransactionMode,
  act: (files: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const transaction = (await openDatabase()).transaction(store, mode)
    const request = act(transaction.objectStore(store))
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } catch {
    return undefined
  }
}

/** A recording is stored with its opus version. */
type StoredBlob = File | { file: File; voice: Voice }

export function storeBlob(id: string, file: File): Promise<unknown> {
  const voice = voiceOf(file)
  return runTransaction('readwrite', (files) => files.put(voice ? { file, voice } : file, id))
}

export async function readBlob(id: string): Promise<File | undefined> {
  const kept = await runTransaction<StoredBlob | undefined>(
    'readonly',
    (files) => files.get(id) as IDBRequest<StoredBlob | undefined>,
  )
  return kept === undefined || kept instanceof File ? kept : attachVoice(kept.file, kept.voice)
}

export const deleteBlob = (id: string): Promise<unknown> => runTransaction('readwrite', (files) => files.delete(id))
