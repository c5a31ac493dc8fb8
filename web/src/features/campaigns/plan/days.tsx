import type { Reckoned } from '@recado/contract/campaigns/pace'
import { wallOf } from '@recado/contract/schedules/repetition'
import { useState } from 'react'
import { number } from '../../../lib/format.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import classes from './plan.module.css'
import { texts } from './texts.ts'

type Day = { day: string; count: number }
type Props = { now: Reckoned; before: Day[] | null; zone: string }

/** More than these fold. */
const shown = 7

/** How many leave on each day; what it was before a setting was moved stays as a ghost. */
export function Days({ now, before, zone }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const [open, setOpen] = useState(false)
  const was = new Map(before?.map(({ day, count }) => [day, count]))
  const left = (before ?? []).filter(({ day }) => !now.days.some((one) => one.day === day))
  const all = [...now.days, ...left.map(({ day }) => ({ day, count: 0 }))]
  const most = Math.max(1, ...all.map(({ count }) => count), ...was.values())
  const drawn = open ? all : all.slice(0, shown)
  const format = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  const timeOf = (moment: string | null, day: string) => {
    const wall = moment && wallOf(new Date(moment), zone)
    return wall?.startsWith(day) ? wall.slice(11, 16) : null
  }
  const note = (day: string) => {
    const [from, until] = [timeOf(now.firstAt, day), timeOf(now.lastAt, day)]
    return [from && words.from(from), until && words.until(until)].filter(Boolean).join(' · ')
  }
  return (
    <>
      <ol className={classes.days}>
        {drawn.map(({ day, count }) => (
          <li key={day}>
            <span className={classes.day}>{format.format(new Date(`${day}T12:00:00Z`))}</span>
            <span className={classes.track} aria-hidden="true">
              {was.has(day) && <i style={{ width: `${((was.get(day) ?? 0) / most) * 100}%` }} />}
              <span style={{ width: `${(count / most) * 100}%` }} />
            </span>
            <span className={classes.count}>
              <b>{number(count)}</b>
              <small>{note(day)}</small>
            </span>
          </li>
        ))}
      </ol>
      {all.length > shown && (
        <button type="button" className={classes.more} onClick={() => setOpen(!open)}>
          {open ? words.fewer : words.moreDays(all.length - shown)}
        </button>
      )}
    </>
  )
}
