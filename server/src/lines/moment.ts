/** What came so lately was written just now. */
const lately = 10_000

/**
 * When a vendor says it was written. Vendors tell whole seconds: an answer to what we said in the same second would
 * stand above it. So one that has just come is taken to be of the end of its second, or of this moment.
 */
export function momentOf(seconds: number, now = Date.now()): Date {
  const told = seconds * 1000
  if (!(told > 0 && told < 8.64e15)) return new Date(now)
  return new Date(now - told > lately ? told : Math.max(told, Math.min(told + 999, now)))
}
