/** What was changed, by its keys. */
export function changesOf<T extends object>(now: T, base: T): Partial<T> {
  const keys = (Object.keys(now) as (keyof T)[]).filter((key) => !same(now[key], base[key]))
  return Object.fromEntries(keys.map((key) => [key, now[key]])) as Partial<T>
}

/** The same changes on top of what is stored by now. */
export const rebased = <T extends object>(now: T, base: T, stored: T): T => ({ ...stored, ...changesOf(now, base) })

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
