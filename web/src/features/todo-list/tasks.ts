import { forget, readJson, readText, writeJson, writeText } from '../../lib/storage.ts'

/** As every client of this family keeps them. */
export type Task = { text: string; createdAt: string; updatedAt: string }

export const add = (tasks: Task[], text: string, now: Date): Task[] =>
  text.trim() === ''
    ? tasks
    : [...tasks, { text: text.trim(), createdAt: now.toISOString(), updatedAt: now.toISOString() }]

/** Empty text changes nothing. */
export const edit = (tasks: Task[], index: number, text: string, now: Date): Task[] =>
  text.trim() === ''
    ? tasks
    : tasks.map((task, at) => (at === index ? { ...task, text: text.trim(), updatedAt: now.toISOString() } : task))

export const remove = (tasks: Task[], index: number): Task[] => tasks.filter((_, at) => at !== index)

export const putBack = (tasks: Task[], index: number, task: Task): Task[] => tasks.toSpliced(index, 0, task)

/** What lies in storage may be anything. */
export const readable = (stored: unknown): Task[] =>
  Array.isArray(stored) ? stored.filter((one) => typeof one?.text === 'string') : []

/**
 * Under `tasks`, where every client of this family looks, lies the list of one person. `tasksOf` says whose it is; when
 * somebody else opens theirs, it makes room and waits under a key of its own. A list that nobody has signed, an older
 * client's, goes to who finds it.
 */
export const tasksKey = 'tasks'
const ownerKey = 'tasksOf'

/** `otherwise`: where nothing is kept, or nothing can be. */
export function keptTasks(otherwise: Task[] = []): Task[] {
  const stored = readJson<unknown>(tasksKey, null)
  return stored === null ? otherwise : readable(stored)
}

export function takeUpTasks(userId: number): Task[] {
  const owner = readText(ownerKey)
  const here = keptTasks()
  if (owner === String(userId)) return here
  const aside = (of: number | string) => `${tasksKey}-${of}`
  const mine = owner === null ? here : readable(readJson<unknown>(aside(userId), []))
  if (owner !== null) writeJson(aside(owner), here)
  writeJson(tasksKey, mine)
  writeText(ownerKey, String(userId))
  forget(aside(userId))
  return mine
}
