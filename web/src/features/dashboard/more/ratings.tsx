import type { Rates, Ratings } from '@recado/contract/dashboard/more'
import { Link } from '@tanstack/react-router'
import { dayTime, number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Card } from '../card.tsx'
import cards from '../dashboard.module.css'
import { columnsOf, longDay } from '../measure.ts'
import { useWalk } from '../use-walk.ts'
import classes from './more.module.css'
import type { Show } from './show.ts'
import { moreTexts } from './texts.ts'

const countOf = ({ one, two, three }: Rates) => one + two + three
const averageOf = (rates: Rates) =>
  countOf(rates) ? (rates.one + 2 * rates.two + 3 * rates.three) / countOf(rates) : null
const asText = (average: number | null) => (average === null ? '–' : number(Math.round(average * 10) / 10, 1))
const kinds = ['three', 'two', 'one'] as const
/** Names under the bars are left out so that about so many stay. */
const roomForNames = 8

/** How customers rated over time, and what they wrote about it. */
export function RatingsCard({ ratings: { all, before, series, newest }, onShow }: { ratings: Ratings; onShow: Show }) {
  const words = useTexts(moreTexts)
  const byDay = new Map(series.map((one) => [one.day, one]))
  const frames = columnsOf({ series: series.map(({ day }) => ({ day, hour: null, came: 0, resolved: 0 })) })
  const columns = frames.map((frame) => {
    const rates = { one: 0, two: 0, three: 0 }
    for (const [day, one] of byDay)
      if (day >= frame.from && day <= frame.to) for (const kind of kinds) rates[kind] += one[kind]
    return { ...frame, rates }
  })
  const { onKeyDown, point } = useWalk(columns.length)
  const every = Math.max(1, Math.ceil(columns.length / roomForNames))
  const rows = [
    [words.day, words.rates.three, words.rates.two, words.rates.one, words.average],
    ...columns.map(({ from, to, rates }) => [
      from === to ? longDay(from) : `${longDay(from)} – ${longDay(to)}`,
      ...[rates.three, rates.two, rates.one],
      asText(averageOf(rates)),
    ]),
  ]
  const said = (when: string, rates: Rates) =>
    words.ratesOf(when, number(rates.three), number(rates.two), number(rates.one))
  return (
    <Card
      title={words.ratings}
      line={words.answered(countOf(all))}
      means={words.means.ratings}
      rows={rows}
      aside={
        <span className={classes.average}>
          <strong>{asText(averageOf(all))}</strong> {words.ofThree}
          {before && averageOf(before) !== null && <small>{words.was(asText(averageOf(before)))}</small>}
        </span>
      }
    >
      {!countOf(all) && <p className={cards.quiet}>{words.unrated}</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: a group of bars is no fieldset */}
      <div className={classes.stacks} role="group" aria-label={`${words.ratings}. ${words.walk}`} onKeyDown={onKeyDown}>
        {columns.map(({ from, to, label, said: when, rates }, n) => (
          <button
            key={from}
            type="button"
            className={cards.column}
            {...point(n)}
            onClick={() => onShow({ kind: 'rate', from, to })}
          >
            <span className={classes.stack} aria-hidden="true">
              {kinds.map(
                (kind) => rates[kind] > 0 && <i key={kind} data-of={kind} style={{ flexGrow: rates[kind] }} />,
              )}
            </span>
            <span className={cards.label} aria-hidden="true">
              {n % every === 0 ? label : ''}
            </span>
            <span className={cards.tip}>{said(when, rates)}</span>
          </button>
        ))}
      </div>
      <ul className={`${cards.legend} ${classes.legend}`}>
        {kinds.map((kind) => (
          <li key={kind} data-of={kind}>
            {words.rates[kind]} {number(all[kind])}
          </li>
        ))}
      </ul>
      <ul className={classes.comments} hidden={!newest.length}>
        {newest.slice(0, 4).map(({ id, at, rate, comment, ticket, queue, user }) => (
          <li key={id}>
            <span>
              <b data-rate={rate}>{words.rateNames[rate - 1]}</b> ·{' '}
              <Link to="/tickets/{-$ticketId}" params={{ ticketId: ticket.uuid }}>
                #{ticket.number}
              </Link>
              {queue && ` · ${queue.name}`}
              {user && ` · ${user.name}`} · {dayTime(at)}
            </span>
            {comment && <q>{comment}</q>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
