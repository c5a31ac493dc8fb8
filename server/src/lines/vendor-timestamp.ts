/**
 * When a vendor says it was written. Vendors tell whole seconds: an answer to what we said in the same second would
 * stand above it. So it is taken to be of the end of its second, or of this moment. What comes later is never given an
 * earlier moment of the same second, however late it comes: those of one second stand in the order in which they came.
 */
export function vendorTimestampToDate(seconds: number, now = Date.now()): Date {
  const told = seconds * 1000
  if (!(told > 0 && told < 8.64e15)) return new Date(now)
  return new Date(Math.max(told, Math.min(told + 999, now)))
}
