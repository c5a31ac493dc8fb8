/**
 * The time of a message from the vendor. Vendors send whole seconds: a reply to our message of the same second
 * would be sorted above it. So it is set to the end of its second, or to now. A later message never gets an
 * earlier time in the same second, however late it comes: messages of one second keep their order of arrival.
 */
export function vendorTimestampToDate(seconds: number, now = Date.now()): Date {
  const told = seconds * 1000
  if (!(told > 0 && told < 8.64e15)) return new Date(now)
  return new Date(Math.max(told, Math.min(told + 999, now)))
}
