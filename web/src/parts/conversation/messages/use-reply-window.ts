import { useEffect, useState } from 'react'

/** Minutes are shown: twice in each it is counted again. */
const refreshMs = 30_000

/**
 * How long the customer may still be written to freely, in milliseconds; zero or less: it is over; null: no limit. On
 * the official API that is 24 hours after they last wrote. The server has the last word; this is its countdown.
 */
export function useReplyWindow(endsAt: string | null): number | null {
  const end = endsAt === null ? null : Date.parse(endsAt)
  const [seen, setSeen] = useState(() => ({ end, now: Date.now() }))
  // A new message moves the end, perhaps hours after the last look at the clock.
  if (seen.end !== end) setSeen({ end, now: Date.now() })
  const left = seen.end === null ? null : seen.end - seen.now
  useEffect(() => {
    if (left === null || left <= 0) return
    const timer = setTimeout(() => setSeen({ end, now: Date.now() }), Math.min(left, refreshMs))
    return () => clearTimeout(timer)
  }, [end, left])
  return left
}

/** Hours and minutes, as people say how long there is: nobody counts the last seconds. */
export const toHoursAndMinutes = (left: number): { hours: number; minutes: number } => {
  const minutes = Math.floor(left / 60_000)
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}
