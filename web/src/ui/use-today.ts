import { useSyncExternalStore } from 'react'
import { formatDay } from '../lib/format.ts'

const checkMs = 60_000

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, checkMs)
  return () => clearInterval(timer)
}
const readToday = () => formatDay(new Date())

/** Today as dd/MM/yyyy, also on a page that stays open past midnight. */
export const useToday = (): string => useSyncExternalStore(subscribe, readToday)
