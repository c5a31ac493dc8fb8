import { readStoredJson, readStoredText, removeStored, writeStoredJson, writeStoredText } from '../../lib/storage.ts'

/** A task in the format that existing clients use. */
export type Task = { text: string; createdAt: string; updatedAt: string }

export const addTask = (tasks: Task[], text: string, now: Date): Task[] =>
  text.trim() === ''
    ? tasks
    : [...tasks, { text: text.trim(), createdAt: now.toISOString(), updatedAt: now.toISOString() }]

/** Changes the text of a task; empty text changes nothing. */
export const editTask = (tasks: Task[], index: number, text: string, now: Date): Task[] =>
  text.trim() === ''
    ? tasks
    : tasks.map((task, at) => (at === index ? { ...task, text: text.trim(), updatedAt: now.toISOString() } : task))

export const removeTask = (tasks: Task[], index: number): Task[] => tasks.filter((_, at) => at !== index)

export const restoreTask = (tasks: Task[], index: number, task: Task): Task[] => tasks.toSpliced(index, 0, task)

/** Reads the stored tasks. The stored value may be anything, so invalid entries are dropped. */
export const parseTasks = (stored: unknown): Task[] =>
  Array.isArray(stored) ? stored.filter((one) => typeof one?.text === 'string') : []

/**
 * The current user's list is stored under `tasks`, where existing clients read it. `tasksOf` is its owner. When another
 * user opens their list, the previous list is moved to a key of its own. A list without an owner, from an older client,
 * goes to the user who opens it first.
 */
export const tasksStorageKey = 'tasks'
const ownerStorageKey = 'tasksOf'

/** `otherwise`: the result when nothing is stored, or storage is not available. */
export function readStoredTasks(otherwise: Task[] = []): Task[] {
  const stored = readStoredJson<unknown>(tasksStorageKey, null)
  return stored === null ? otherwise : parseTasks(stored)
}

export function loadTasksOf(userId: number): Task[] {
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
