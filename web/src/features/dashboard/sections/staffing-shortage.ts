import type { HourStaffing } from '@recado/contract/dashboard/report-sections'

/** Missing agents in an hour: needed minus online. */
export const countMissingAgents = ({ needed, online }: HourStaffing): number => Math.max(0, needed - Math.round(online))

/** When the most agents were missing, and how many. Of several times the longest is used, of equal times the earliest. */
export function findWorstShortage(hours: HourStaffing[]): { missing: number; from: number; until: number } | null {
  const missing = Math.max(0, ...hours.map(countMissingAgents))
  if (!missing) return null
  let worst = { from: 0, until: 0 }
  for (let from = 0; from < hours.length; from++) {
    let until = from
    while (until < hours.length && countMissingAgents(hours[until] as HourStaffing) === missing) until++
    if (until - from > worst.until - worst.from) worst = { from, until }
  }
  return { missing, from: hours[worst.from]?.hour ?? 0, until: (hours[worst.until - 1]?.hour ?? 0) + 1 }
}

/** The hours to draw: the working day and any activity outside of it. */
export function hoursToDraw(hours: HourStaffing[]): HourStaffing[] {
  const busy = hours.filter(({ online, needed }) => online > 0 || needed > 0).map(({ hour }) => hour)
  const [first, last] = [Math.min(8, ...busy), Math.max(19, ...busy)]
  return hours.filter(({ hour }) => hour >= first && hour <= last)
}

/** Joins consecutive quarter-hours with the same count into one piece, in minutes, so that the drawing has no seams. */
export function groupEqualQuarters(atOnce: number[]): { from: number; until: number; n: number }[] {
  const runs: { from: number; until: number; n: number }[] = []
  atOnce.forEach((n, quarter) => {
    const last = runs.at(-1)
    if (last?.n === n && last.until === quarter * 15) last.until += 15
    else if (n > 0) runs.push({ from: quarter * 15, until: quarter * 15 + 15, n })
  })
  return runs
}

/** Whether nobody was needed: on a day without messages, the agents online were not "enough". */
export const isNobodyNeeded = (hours: HourStaffing[]): boolean => hours.every(({ needed }) => needed === 0)
