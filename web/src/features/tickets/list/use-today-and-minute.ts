import { useEffect, useState } from 'react'
import { formatDay } from '../../../lib/format.ts'

const tickMs = 60_000
const readClock = () => ({ today: formatDay(new Date()), minute: Math.floor(Date.now() / tickMs) })

/** Today's dd/MM/yyyy, also for a page open past midnight, and the current minute for waits. */
export function useTodayAndMinute(): { today: string; minute: number } {
  const [now, setNow] = useState(readClock)
  useEffect(() => {
    const timer = setInterval(() => setNow(readClock()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The wait in one unit: minutes, hours or days. Null under a minute. */
export function formatWait(since: string | null, minute: number): string | null {
  if (!since) return null
  const minutes = minute - Math.floor(Date.parse(since) / tickMs)
  if (minutes < 1) return null
  if (minutes < 60) return `${minutes} min`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} d`
}
