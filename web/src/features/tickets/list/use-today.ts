import { useEffect, useState } from 'react'
import { day } from '../../../lib/format.ts'

const lookEvery = 60_000

/** dd/MM/yyyy of today, also for a page that stays open past midnight. */
export function useToday(): string {
  const [today, setToday] = useState(() => day(new Date()))
  useEffect(() => {
    const timer = setInterval(() => setToday(day(new Date())), lookEvery)
    return () => clearInterval(timer)
  }, [])
  return today
}
