/** Earlier and later states of a document. */
export type UndoHistory<T> = {
  past: readonly T[]
  future: readonly T[]
  lastChange: { key: string; at: number } | null
}

export const emptyHistory = { past: [], future: [], lastChange: null }
/** How many changes can be undone. */
export const maxUndoSteps = 100
/** Typing in one field is one change while its keys follow each other this quickly. */
const joinWithinMs = 1500

/** Remembers the state before a change. Changes with the same key soon after each other are undone together. */
export function recordChange<T>(history: UndoHistory<T>, before: T, key: string | null, now: number): UndoHistory<T> {
  const { past, lastChange } = history
  const isJoined = key !== null && lastChange?.key === key && now - lastChange.at < joinWithinMs && past.length > 0
  return {
    past: isJoined ? past : [...past, before].slice(-maxUndoSteps),
    future: [],
    lastChange: key === null ? null : { key, at: now },
  }
}

type Step<T> = { history: UndoHistory<T>; present: T }

export function undoChange<T>({ past, future }: UndoHistory<T>, present: T): Step<T> | null {
  const before = past.at(-1)
  if (before === undefined) return null
  return { history: { past: past.slice(0, -1), future: [present, ...future], lastChange: null }, present: before }
}

export function redoChange<T>({ past, future }: UndoHistory<T>, present: T): Step<T> | null {
  const [after, ...rest] = future
  if (after === undefined) return null
  return { history: { past: [...past, present], future: rest, lastChange: null }, present: after }
}
