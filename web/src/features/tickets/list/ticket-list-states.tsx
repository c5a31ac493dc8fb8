import { Button } from '@mantine/core'
import type { SessionUser } from '@recado/contract/users'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { IconCircleCheck, IconClockPause, IconInbox, IconMoodSmile, IconSearchOff } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import type { TicketFilter } from '../../../parts/ticket/ticket-filter.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { EmptyView } from '../views/view-empty.tsx'
import { FirstSteps } from './first-steps/first-steps.tsx'
import { type TicketListTexts, ticketListTexts } from './texts.ts'
import classes from './ticket-list-states.module.css'

/** Skeleton rows of the final size, shown only when loading takes a moment. */
export function TicketListSkeleton() {
  const words = useTexts(ticketListTexts)
  return (
    <div className={classes.skeleton} role="status">
      <span className="rc-sr">{words.loading}</span>
      {[64, 58, 44, 62, 50, 56, 48].map((width) => (
        <div key={width} className={classes.row} aria-hidden="true">
          <i className={classes.avatar} />
          <div>
            <i className={classes.bar} style={{ width: `${width}%` }} />
            <i className={classes.bar} style={{ width: `${width + 24}%` }} />
            <i className={classes.bar} style={{ width: '34%', height: 9 }} />
          </div>
        </div>
      ))}
    </div>
  )
}

export function TicketListError({ onRetry }: { onRetry: () => void }) {
  const words = useTexts(ticketListTexts)
  return <ErrorState title={words.failed} line={words.failedLine} onRetry={onRetry} />
}

const icons = {
  snoozed: IconClockPause,
  open: IconMoodSmile,
  openAll: IconInbox,
  pending: IconCircleCheck,
  closed: IconInbox,
  found: IconSearchOff,
  filtered: IconInbox,
  pendingInQueues: IconInbox,
  pendingInQueuesAndLoose: IconCircleCheck,
  closedInQueues: IconInbox,
}

// Loaded on demand: few users are in no queue.
const NoQueueState = lazy(() => import('./no-queue-state.tsx').then((module) => ({ default: module.NoQueueState })))

type Props = {
  filter: TicketFilter
  me: SessionUser
  onShowAllQueues: () => void
  /** The number of pending tickets, shown beside an empty list. */
  waitingCount: number | string | undefined
  onShowWaiting: () => void
}

/** The empty state of each list. */
export const TicketListEmpty = (props: Props) => (props.filter.view ? <EmptyView /> : <EmptyList {...props} />)

function EmptyList({ filter, me, onShowAllQueues, waitingCount, onShowWaiting }: Props) {
  const words = useTexts(ticketListTexts)
  const reason = emptyReason(filter, me)
  const EmptyIcon = icons[reason]
  const phone = useIsPhone()
  // Tickets may be waiting, only not for this user: an empty list alone would say the opposite. Users who see tickets
  // without a queue can have tickets of their own.
  const seesLoose = me.allTicket === 'enabled'
  const hasOwnWork = seesLoose && reason === 'open'
  if (me.queues.length === 0 && !canSeeAllTickets(me) && reason !== 'found' && reason !== 'snoozed' && !hasOwnWork)
    return (
      <Suspense fallback={null}>
        <NoQueueState seesLoose={seesLoose && reason.startsWith('pending')} />
      </Suspense>
    )
  const empty = (
    <EmptyState
      title={words.empty[reason].title}
      line={words.empty[reason].line}
      icon={
        <EmptyIcon
          className={reason === 'pending' || reason === 'pendingInQueuesAndLoose' ? classes.good : ''}
          size={26}
          stroke={1.6}
        />
      }
    >
      {reason === 'filtered' && (
        <Button variant="default" onClick={onShowAllQueues}>
          {words.showAllQueues}
        </Button>
      )}
      {filter.status === 'open' && Boolean(waitingCount) && (
        <Button onClick={onShowWaiting}>{words.seeWaiting(waitingCount ?? '')}</Button>
      )}
    </EmptyState>
  )
  // On a phone only the list is visible, so it shows the first steps.
  return phone && reason !== 'found' ? <FirstSteps fallback={empty} /> : empty
}

function emptyReason(filter: TicketFilter, me: SessionUser): keyof TicketListTexts['empty'] {
  if (filter.snoozed === 'only') return filter.queueIds ? 'filtered' : 'snoozed'
  if (filter.status === null) return 'found'
  if (filter.queueIds) return 'filtered'
  if (filter.status !== 'open' && !canSeeAllTickets(me)) {
    const seesLoose = filter.status === 'pending' && me.allTicket === 'enabled'
    return seesLoose ? 'pendingInQueuesAndLoose' : `${filter.status}InQueues`
  }
  return filter.status === 'open' && filter.showAll ? 'openAll' : filter.status
}
