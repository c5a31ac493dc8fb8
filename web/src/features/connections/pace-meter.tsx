import type { Connection, Pacing } from '@recado/contract/connections'
import { IconLock } from '@tabler/icons-react'
import { formatDayTime, formatNumber, formatTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import classes from './pace.module.css'
import { paceTexts } from './pace-texts.ts'

/** The used share of the daily limit for unknown people, and the waiting messages. Renders nothing without a limit. */
export function PaceMeter({ line }: { line: Connection }) {
  const { status, pacing, lockedUntil } = line
  const words = useTexts(paceTexts)
  const said = usePaceText(pacing)
  if (lockedUntil) {
    const text = words.locked(formatDayTime(lockedUntil))
    return (
      <span className={classes.locked} title={text}>
        <IconLock size={14} stroke={1.75} aria-hidden="true" />
        <span>{text}</span>
      </span>
    )
  }
  if (!pacing || !said || (status !== 'CONNECTED' && pacing.waiting === 0)) return null
  const { sentToday, dailyCap } = pacing
  return (
    <span className={classes.meter} title={said}>
      {dailyCap !== null && (
        <meter className={classes.bar} min={0} max={dailyCap} value={Math.min(sentToday, dailyCap)} aria-label={said} />
      )}
      <span>{said}</span>
    </span>
  )
}

/** For example "12 de 40 hoy · 3 esperan, la próxima a las 10:42". */
export function usePaceText(pacing: Pacing | null): string {
  const words = useTexts(paceTexts)
  if (!pacing) return ''
  const { dailyCap, sentToday, waiting, nextAt } = pacing
  const today = dailyCap === null ? '' : words.ofToday(formatNumber(sentToday), formatNumber(dailyCap))
  const queue = waiting === 0 ? '' : words.waiting(waiting, formatNumber(waiting), nextAt && formatSoon(nextAt))
  return [today, queue].filter(Boolean).join(' · ')
}

/** Formats a near moment: within a day only the time, beyond that with the day. */
const formatSoon = (moment: string): string =>
  new Date(moment).getTime() - Date.now() < 12 * 3600_000 ? formatTime(moment) : formatDayTime(moment)
