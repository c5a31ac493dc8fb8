import { useEffect, useState } from 'react'
import { formatDay } from '../../../lib/format.ts'

const tickMs = 60_000
const readClock = () => ({ today: formatDay(new Date()), minute: Math.floor(Date.now() / tickMs) })

/** dd/MM/yyyy of today, also for a page that stays open past midnight, and the minute that waits are counted to. */
export function useTodayAndMinute(): { today: string; minute: number } {
  const [now, setNow] = useState(readClock)
  useEffect(() => {
    const timer = setInterval(() => setNow(readClock()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** How long, in one unit: minutes, hours or days. Under a minute nobody has waited. */
export function formatWait(since: string | null, minute: number): string | null {
  if (!since) return null
  const minutes = minute - Math.floor(Date.parse(since) / tickMs)
  if (minutes < 1) return null
  if (minutes < 60) return `${minutes} min`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} d`
}
