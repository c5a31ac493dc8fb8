import { useDebouncedValue } from '@mantine/hooks'
import type { TicketConditions } from '@recado/contract/views/ticket-conditions'
import { type TicketView, ticketViewsApi } from '@recado/contract/views/ticket-views'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { formatNumber, formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { PriorityMark } from '../../../parts/ticket/priority-mark.tsx'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import { viewEditorTexts } from './editor-texts.ts'
import classes from './view-editor.module.css'

/** The preview is read again this long after the last change. */
const recountDelayMs = 300
const maxTicketsShown = 6

type Props = { conditions: TicketConditions | null; order: TicketView['order'] }

/** The tickets that meet the conditions now. The old figures stay while the new ones are counted. */
export function ViewPreview({ conditions, order }: Props) {
  const words = useTexts(viewEditorTexts)
  const [[wanted, wantedOrder]] = useDebouncedValue([conditions, order] as const, recountDelayMs)
  const { data, isFetching, isError } = useQuery({
    queryKey: ['ticket-views', 'preview', wanted, wantedOrder],
    queryFn: ({ signal }) =>
      callApi(
        ticketViewsApi.preview,
        { body: { conditions: wanted ?? { match: 'all', of: [] }, order: wantedOrder } },
        { signal },
      ),
    enabled: wanted !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const shown = data?.tickets.slice(0, maxTicketsShown) ?? []
  return (
    <section className={classes.proof} aria-live="polite">
      <div className={classes.total}>
        <b>{data ? formatNumber(data.count) : '·'}</b> {words.now(data?.count ?? 0)}
      </div>
      <div className={classes.busy} data-on={isFetching || undefined} />
      <p className={classes.note}>
        {wanted === null
          ? words.incomplete
          : isError
            ? words.failed
            : data?.count === 0
              ? words.nothing
              : words.recounts}
      </p>
      {shown.length > 0 && (
        <ul className={classes.tickets}>
          {shown.map((ticket) => (
            <li key={ticket.id} className={classes.ticket}>
              <PersonAvatar id={ticket.contact.id} name={ticket.contact.name} size={26} />
              <span className={classes.who}>
                {ticket.contact.name}{' '}
                {ticket.priority !== 'normal' && <PriorityMark priority={ticket.priority} size={14} />}
                <span className={classes.queue}>{ticket.queue?.name}</span>
              </span>
              <span className={classes.note}>{formatTime(ticket.waitingSince ?? ticket.updatedAt)}</span>
            </li>
          ))}
          {data && data.count > shown.length && (
            <li className={classes.ticket}>{words.rest(data.count - shown.length)}</li>
          )}
        </ul>
      )}
    </section>
  )
}
