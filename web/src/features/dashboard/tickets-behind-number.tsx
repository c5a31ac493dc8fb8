import { Button, Loader } from '@mantine/core'
import { dashboardApi, type ReportFactKind } from '@recado/contract/dashboard/dashboard'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callApi } from '../../lib/api.ts'
import { formatDayTimeIn } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import classes from './dashboard.module.css'
import { formatDuration } from './metrics.ts'
import { texts } from './texts.ts'
import { ticketsBehindTexts } from './tickets-behind-number-texts.ts'
import type { DashboardQuery } from './use-dashboard-query.ts'

/** The selected figure. */
export type SelectedNumber = Partial<Omit<DashboardQuery, 'compare'>> & {
  kind: ReportFactKind
  hour?: number
  weekday?: number
  noQueue?: boolean
  optionId?: number
  atTop?: boolean
  reasonId?: number
}

type Props = { selectedNumber: SelectedNumber; zone: string; onClose: () => void }

/** The tickets behind a figure, each with the time at which it was counted. */
export function TicketsBehindNumber({ selectedNumber, zone, onClose }: Props) {
  const words = useTexts(texts)
  const ownWords = useTexts(ticketsBehindTexts)
  const pages = useInfiniteQuery({
    queryKey: ['dashboard-tickets', selectedNumber],
    queryFn: ({ pageParam, signal }) =>
      callApi(dashboardApi.behind, { query: { ...selectedNumber, pageNumber: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.hasMore ? all.length + 1 : undefined),
  })
  const tickets = pages.data?.pages.flatMap((page) => page.tickets) ?? []
  const isTime = ['wait', 'answer', 'next', 'talk', 'open', 'pending'].includes(selectedNumber.kind)
  return (
    <Sheet opened onClose={onClose} size={760} title={ownWords.behind[selectedNumber.kind]}>
      <div className={classes.behind}>
        {pages.isPending && <Loader />}
        {pages.isError && <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />}
        {pages.data && !tickets.length && <p className={classes.quiet}>{ownWords.nothingBehind}</p>}
        {tickets.length > 0 && (
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{ownWords.ticket}</th>
                <th scope="col">{ownWords.contact}</th>
                <th scope="col">{words.agent}</th>
                <th scope="col">{ownWords.when}</th>
                {isTime && <th scope="col">{ownWords.took}</th>}
                {selectedNumber.kind === 'rate' && <th scope="col">{words.rating}</th>}
              </tr>
            </thead>
            <tbody>
              {tickets.map(({ key, at, value, ticket, contact, queue, user }) => (
                <tr key={key}>
                  <td>
                    <Link to="/tickets/{-$ticketId}" params={{ ticketId: ticket.uuid }}>
                      #{ticket.number}
                    </Link>
                  </td>
                  <td>
                    {contact.name}
                    {queue && <small> · {queue.name}</small>}
                  </td>
                  <td>{user?.name ?? '–'}</td>
                  <td>{formatDayTimeIn(at, zone)}</td>
                  {isTime && <td>{formatDuration(value)}</td>}
                  {selectedNumber.kind === 'rate' && <td>{value}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {pages.hasNextPage && (
          <Button
            className={classes.more ?? ''}
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {ownWords.more}
          </Button>
        )}
      </div>
    </Sheet>
  )
}
