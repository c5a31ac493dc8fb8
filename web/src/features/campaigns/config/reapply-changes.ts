/** The changed keys and their values. */
export function findChanges<T extends object>(now: T, base: T): Partial<T> {
  const keys = (Object.keys(now) as (keyof T)[]).filter((key) => !isEqual(now[key], base[key]))
  return Object.fromEntries(keys.map((key) => [key, now[key]])) as Partial<T>
}

/** The same changes on top of the currently stored values. */
export const reapplyChanges = <T extends object>(now: T, base: T, stored: T): T => ({
  ...stored,
  ...findChanges(now, base),
})

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
