import { readStoredJson, readStoredText, removeStored, writeStoredJson, writeStoredText } from '../../lib/storage.ts'

/** A task in the format that older clients store in the browser. */
export type StoredTask = { text: string; createdAt: string; updatedAt: string }

/** Reads the stored tasks. The stored value may be anything, so invalid entries are dropped. */
export const parseTasks = (stored: unknown): StoredTask[] =>
  Array.isArray(stored) ? stored.filter((one) => typeof one?.text === 'string') : []

/**
 * The current user's list is stored under `tasks`, where existing clients read it. `tasksOf` is its owner. When another
 * user opens their list, the previous list is moved to a key of its own. A list without an owner, from an older client,
 * goes to the user who opens it first.
 */
const tasksStorageKey = 'tasks'
const ownerStorageKey = 'tasksOf'

/** `otherwise`: the result when nothing is stored, or storage is not available. */
function readStoredTasks(otherwise: StoredTask[] = []): StoredTask[] {
  const stored = readStoredJson<unknown>(tasksStorageKey, null)
  return stored === null ? otherwise : parseTasks(stored)
}

function loadTasksOf(userId: number): StoredTask[] {
  const owner = readStoredText(ownerStorageKey)
  const here = readStoredTasks()
  if (owner === String(userId)) return here
  const aside = (of: number | string) => `${tasksStorageKey}-${of}`
  const mine = owner === null ? here : parseTasks(readStoredJson<unknown>(aside(userId), []))
  if (owner !== null) writeStoredJson(aside(owner), here)
  writeStoredJson(tasksStorageKey, mine)
  writeStoredText(ownerStorageKey, String(userId))
  removeStored(aside(userId))
  return mine
}

const syncedStorageKey = (userId: number) => `tasksSynced-${userId}`
const taskKey = ({ createdAt, text }: StoredTask) => `${createdAt} ${text}`

/** Tasks that an older client, or an earlier version, stored in this browser and the server does not know yet. */
export function findUnsyncedTasks(userId: number): StoredTask[] {
  const synced = new Set(readStoredJson<string[]>(syncedStorageKey(userId), []))
  return loadTasksOf(userId).filter((task) => task.text.trim() !== '' && !synced.has(taskKey(task)))
}

/** Copies the server's list to where older clients read it, and records that these tasks came from the server. */
export function mirrorTasks(userId: number, tasks: StoredTask[]): void {
  const mirrored = tasks.map(({ text, createdAt, updatedAt }) => ({ text, createdAt, updatedAt }))
  writeStoredJson(tasksStorageKey, mirrored)
  writeStoredJson(syncedStorageKey(userId), mirrored.map(taskKey))
}
