import { setImmediate as nextTurn } from 'node:timers/promises'

/** Maximum time one piece of work occupies the event loop before it yields. */
const maxSliceMs = 10

/** Processes each item of a long list and yields to the event loop in between. */
export async function forEachInTimeSlices<T>(items: Iterable<T>, act: (item: T, at: number) => void): Promise<void> {
  let since = performance.now()
  let at = 0
  for (const item of items) {
    act(item, at++)
    if (performance.now() - since < maxSliceMs) continue
    await nextTurn()
    since = performance.now()
  }
}

/** Like `map`, but yields to the event loop between slices. */
export async function mapInTimeSlices<T, R>(items: Iterable<T>, make: (item: T, at: number) => R): Promise<R[]> {
  const made: R[] = []
  await forEachInTimeSlices(items, (item, at) => void made.push(make(item, at)))
  return made
}
