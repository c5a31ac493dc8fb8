import { useEffect, useState } from 'react'

/** How often the time left is updated: it is shown in minutes. */
const refreshMs = 30_000

/**
 * How long free text is still allowed, in milliseconds. Zero or less: expired; null: no limit. On the official API free
 * text is allowed for 24 hours after the customer's last message. The server decides; this is only its countdown.
 */
export function useReplyWindow(endsAt: string | null): number | null {
  const end = endsAt === null ? null : Date.parse(endsAt)
  const [seen, setSeen] = useState(() => ({ end, now: Date.now() }))
  // A new message moves the end of the window, possibly hours after the last update of the clock.
  if (seen.end !== end) setSeen({ end, now: Date.now() })
  const left = seen.end === null ? null : seen.end - seen.now
  useEffect(() => {
    if (left === null || left <= 0) return
    const timer = setTimeout(() => setSeen({ end, now: Date.now() }), Math.min(left, refreshMs))
    return () => clearTimeout(timer)
  }, [end, left])
  return left
}

/** The time left in hours and minutes; seconds are not shown. */
export const toHoursAndMinutes = (left: number): { hours: number; minutes: number } => {
  const minutes = Math.floor(left / 60_000)
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}
