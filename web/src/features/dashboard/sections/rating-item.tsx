import type { RatingsReport } from '@recado/contract/dashboard/report-sections'
import { Link } from '@tanstack/react-router'
import { formatDayTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { reportSectionTexts } from './texts.ts'

/** A rating with its comment and its ticket. */
export function RatingItem({ rating }: { rating: RatingsReport['newest'][number] }) {
  const words = useTexts(reportSectionTexts)
  const { at, rate, scale, score, comment, ticket, queue, user } = rating
  return (
    <li>
      <span>
        <b data-rate={rate}>{scale === 3 ? words.rateNames[rate - 1] : words.scoreOf(score, scale)}</b> ·{' '}
        <Link to="/tickets/{-$ticketId}" params={{ ticketId: ticket.uuid }}>
          #{ticket.number}
        </Link>
        {queue && ` · ${queue.name}`}
        {user && ` · ${user.name}`} · {formatDayTime(at)}
      </span>
      {comment && <q>{comment}</q>}
    </li>
  )
}
