import type { Connection, Pacing } from '@recado/contract/connections'
import { IconLock } from '@tabler/icons-react'
import { formatDayTime, formatNumber, formatTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import classes from './pace.module.css'
import { paceTexts } from './pace-texts.ts'

type Props = { line: Connection; onOpen: (line: Connection) => void }

/** The used share of the daily limit for unknown people, and the waiting messages. Opens the whole pace. */
export function PaceMeter({ line, onOpen }: Props) {
  const { status, pacing, lockedUntil } = line
  const words = useTexts(paceTexts)
  const said = usePaceText(pacing)
  const text = lockedUntil ? words.locked(formatDayTime(lockedUntil)) : said
  if (!text || (!lockedUntil && status !== 'CONNECTED' && pacing?.waiting === 0)) return null
  const isOpenable = pacing !== null
  return (
    <span className={lockedUntil ? classes.locked : classes.meter}>
      {lockedUntil && <IconLock size={14} stroke={1.75} aria-hidden="true" />}
      {!lockedUntil && pacing && pacing.dailyCap !== null && (
        <meter
          className={classes.bar}
          min={0}
          max={pacing.dailyCap}
          value={Math.min(pacing.sentToday, pacing.dailyCap)}
          aria-label={said}
        />
      )}
      {isOpenable ? (
        <button
          type="button"
          className={classes.open}
          title={text}
          aria-label={words.openOf(line.name, text)}
          onClick={() => onOpen(line)}
        >
          {text}
        </button>
      ) : (
        <span title={text}>{text}</span>
      )}
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
