/** As every client of this family keeps them, under the key `tasks`. */
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
