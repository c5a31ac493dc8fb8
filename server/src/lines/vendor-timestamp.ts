/**
 * The time of a message from the vendor. Vendors send whole seconds: a reply in the same second as our message would be
 * sorted above it. So the time is set to the end of that second, or to now if that is earlier. A later message never gets
 * an earlier time in the same second, however late it arrives: messages of one second keep their order of arrival.
 */
export function vendorTimestampToDate(seconds: number, now = Date.now()): Date {
  const vendorMs = seconds * 1000
  if (!(vendorMs > 0 && vendorMs < 8.64e15)) return new Date(now)
  return new Date(Math.max(vendorMs, Math.min(vendorMs + 999, now)))
}
