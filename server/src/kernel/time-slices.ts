import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long one piece of work keeps the event loop before it lets others in. */
const maxSliceMs = 10

/** Does something with each item of a long list; everybody else gets their turn in between. */
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

/** As `map` of a list, with pauses. */
export async function mapInTimeSlices<T, R>(items: Iterable<T>, make: (item: T, at: number) => R): Promise<R[]> {
  const made: R[] = []
  await forEachInTimeSlices(items, (item, at) => void made.push(make(item, at)))
  return made
}
