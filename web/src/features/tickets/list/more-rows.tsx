import type { ListWords } from './texts.ts'
import classes from './ticket-rows.module.css'
import type { TicketList } from './use-ticket-list.ts'

type Props = { more: TicketList['more']; hasMore: boolean; count: number; words: ListWords }

/** Below the last row: more is coming, it did not come, or that was all. */
export function MoreRows({ more, hasMore, count, words }: Props) {
  if (more.failed)
    return (
      <div className={classes.foot} role="alert">
        {words.moreFailed}{' '}
        <button type="button" className={classes.retry} onClick={more.run}>
          {words.retry}
        </button>
      </div>
    )
  if (hasMore) return <div className={classes.foot}>{words.loading}</div>
  return count > 8 ? <div className={classes.foot}>{words.end}</div> : null
}
