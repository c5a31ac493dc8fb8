import { Worker } from 'node:worker_threads'
import { AppError } from './errors.ts'

export type BcryptTask = { id: number; password: string; hash: string }
export type BcryptAnswer = { id: number; matches: boolean }

type Pending = { resolve: (matches: boolean) => void; reject: (cause: Error) => void }
type Thread = { worker: Worker; pending: Map<number, Pending> }

/**
 * Maximum number of pending comparisons, which take up to a quarter of a second each: further callers get an error and
 * must retry.
 */
const maxPending = 100

let thread: Thread | null = null
let lastId = 0

/**
 * Whether a password belongs to a bcrypt hash. The package computes in JavaScript, and hashes of imported companies have
 * their own cost factor: on the event loop, a few wrong logins would block all users.
 */
export function compareBcrypt(password: string, hash: string): Promise<boolean> {
  thread ??= openThread()
  const { worker, pending } = thread
  if (pending.size >= maxPending) return Promise.reject(new AppError('ERR_TOO_MANY_TRIES'))
  return new Promise((resolve, reject) => {
    const task: BcryptTask = { id: ++lastId, password, hash: hash }
    pending.set(task.id, { resolve, reject })
    worker.ref()
    worker.postMessage(task)
  })
}

/** The thread starts with the first bcrypt hash: most installations have none. An idle thread does not block exit. */
function openThread(): Thread {
  const worker = new Worker(new URL('./bcrypt-worker.ts', import.meta.url))
  const newThread: Thread = { worker, pending: new Map() }
  const end = (cause: Error) => {
    if (thread === newThread) thread = null
    for (const { reject } of newThread.pending.values()) reject(cause)
    newThread.pending.clear()
  }
  worker.on('message', ({ id, matches }: BcryptAnswer) => {
    newThread.pending.get(id)?.resolve(matches)
    newThread.pending.delete(id)
    if (!newThread.pending.size) worker.unref()
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Error('the bcrypt thread ended')))
  return newThread
}
