/**
 * Files that wait to be sent, where a reload finds them again. localStorage holds text alone; IndexedDB can be
 * forbidden or full: then a file lives as long as its page, which is what it would do anyway.
 */
const store = 'files'
let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('recado-outgoing', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(store)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

async function run<T>(mode: IDBTransactionMode, act: (files: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    const transaction = (await open()).transaction(store, mode)
    const request = act(transaction.objectStore(store))
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } catch {
    return undefined
  }
}

export const keepBlob = (id: string, file: File): Promise<unknown> => run('readwrite', (files) => files.put(file, id))
export const readBlob = (id: string): Promise<File | undefined> =>
  run<File | undefined>('readonly', (files) => files.get(id) as IDBRequest<File | undefined>)
export const dropBlob = (id: string): Promise<unknown> => run('readwrite', (files) => files.delete(id))
