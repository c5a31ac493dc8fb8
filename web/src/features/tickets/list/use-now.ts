import { useEffect, useState } from 'react'
import { day } from '../../../lib/format.ts'

const everyMs = 60_000
const look = () => ({ today: day(new Date()), minute: Math.floor(Date.now() / everyMs) })

/** dd/MM/yyyy of today, also for a page that stays open past midnight, and the minute that waits are counted to. */
export function useNow(): { today: string; minute: number } {
  const [now, setNow] = useState(look)
  useEffect(() => {
    const timer = setInterval(() => setNow(look()), everyMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** How long, in one unit: minutes, hours or days. Under a minute nobody has waited. */
export function waitOf(since: string | null, minute: number): string | null {
  if (!since) return null
  const minutes = minute - Math.floor(Date.parse(since) / everyMs)
  if (minutes < 1) return null
  if (minutes < 60) return `${minutes} min`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} d`
}
