import type { TicketListTexts } from './texts.ts'
import classes from './ticket-rows.module.css'
import type { TicketListState } from './use-ticket-list.ts'

type Props = { nextPage: TicketListState['nextPage']; hasMore: boolean; count: number; words: TicketListTexts }

/** Shown below the last row: loading, failed, or the end of the list. */
export function TicketListFooter({ nextPage, hasMore, count, words }: Props) {
  if (nextPage.failed)
    return (
      <div className={classes.foot} role="alert">
        {words.moreFailed}{' '}
        <button type="button" className={classes.retry} onClick={nextPage.run}>
          {words.retry}
        </button>
      </div>
    )
  if (hasMore) return <div className={classes.foot}>{words.loading}</div>
  return count > 8 ? <div className={classes.foot}>{words.end}</div> : null
}
