import { readStoredJson, readStoredText, removeStored, writeStoredJson, writeStoredText } from '../../lib/storage.ts'

/** In the format that existing clients use. */
export type Task = { text: string; createdAt: string; updatedAt: string }

export const addTask = (tasks: Task[], text: string, now: Date): Task[] =>
  text.trim() === ''
    ? tasks
    : [...tasks, { text: text.trim(), createdAt: now.toISOString(), updatedAt: now.toISOString() }]

/** Empty text changes nothing. */
export const editTask = (tasks: Task[], index: number, text: string, now: Date): Task[] =>
  text.trim() === ''
    ? tasks
    : tasks.map((task, at) => (at === index ? { ...task, text: text.trim(), updatedAt: now.toISOString() } : task))

export const removeTask = (tasks: Task[], index: number): Task[] => tasks.filter((_, at) => at !== index)

export const restoreTask = (tasks: Task[], index: number, task: Task): Task[] => tasks.toSpliced(index, 0, task)

/** The stored value may be anything. */
export const parseTasks = (stored: unknown): Task[] =>
  Array.isArray(stored) ? stored.filter((one) => typeof one?.text === 'string') : []

/**
 * The list of one person is under `tasks`, where existing clients look for it. `tasksOf` is its owner; when
 * another user opens theirs, it is moved to a key of its own. A list without an owner, from an older client,
 * goes to the user who finds it.
 */
export const tasksStorageKey = 'tasks'
const ownerStorageKey = 'tasksOf'

/** `otherwise`: the result when nothing is or can be stored. */
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
