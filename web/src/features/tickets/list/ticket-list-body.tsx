import { useElementSize } from '@mantine/hooks'
import type { SessionUser } from '@recado/contract/users'
import { IconArrowUp } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { TicketFilter } from '../../../parts/ticket/ticket-filter.ts'
import { useCheckedTickets } from '../selection/checked-tickets.ts'
import type { TicketListTexts } from './texts.ts'
import classes from './ticket-list-pane.module.css'
import { TicketListEmpty, TicketListError, TicketListSkeleton } from './ticket-list-states.tsx'
import { TicketRows } from './ticket-rows.tsx'
import { useHoldRows } from './use-hold-rows.ts'
import { useRowActionHandlers } from './use-row-action-handlers.ts'
import { useSteadyRows } from './use-steady-rows.ts'
import type { TicketListState as List } from './use-ticket-list.ts'
import { useTicketListShortcuts } from './use-ticket-list-shortcuts.ts'

type Props = {
  label: string
  list: List
  filter: TicketFilter
  me: SessionUser
  selected: string | undefined
  isLarge: boolean
  words: TicketListTexts
  onShowAllQueues: () => void
  waitingCount: number | string | undefined
  onShowWaiting: () => void
}

/** The rows of a list or their placeholder. While nothing may move, new rows wait behind a button with their count. */
export function TicketListBody({
  label,
  list,
  filter,
  me,
  selected,
  isLarge,
  words,
  onShowAllQueues,
  waitingCount,
  onShowWaiting,
}: Props) {
  const scrollRef = useRef<HTMLDivElement>(null)
  const { ref, width } = useElementSize<HTMLDivElement>()
  const hold = useHoldRows(scrollRef, list.key)
  const { endedCount } = useCheckedTickets()
  const release = useEffectEvent(hold.release)
  useEffect(() => {
    if (endedCount > 0) release()
  }, [endedCount])
  const { isHolding: holding, isHovered: hovered } = hold
  const steadyRows = useSteadyRows({
    rows: list.rows,
    key: list.key,
    order: filter.order,
    isHolding: holding,
    isHovered: hovered,
  })
  const actions = useRowActionHandlers()
  const onStep = useRef<((by: number) => void) | null>(null)
  useTicketListShortcuts(onStep)
  return (
    <div className={classes.whole} {...hold.pointerHandlers}>
      <div className={classes.news} role="status">
        {steadyRows.waitingCount > 0 && (
          <button type="button" className={classes.pill} title={words.newsHint} onClick={hold.release}>
            <IconArrowUp size={14} stroke={2} aria-hidden="true" />
            {words.news(steadyRows.waitingCount)}
          </button>
        )}
      </div>
      <div ref={scrollRef} className={classes.scroller} {...hold.handlers}>
        <div ref={ref}>
          {list.isLoading ? (
            <TicketListSkeleton />
          ) : list.error ? (
            <TicketListError onRetry={list.retry} />
          ) : steadyRows.visibleRows.length === 0 ? (
            <TicketListEmpty
              {...{
                filter,
                me,
                onShowAllQueues: onShowAllQueues,
                waitingCount: waitingCount,
                onShowWaiting: onShowWaiting,
              }}
            />
          ) : (
            <TicketRows
              // On a phone rows have other heights, and heights are measured only once.
              key={`${list.key} ${isLarge}`}
              label={label}
              visibleRows={steadyRows.visibleRows}
              list={list}
              scrollRef={scrollRef}
              // The width changes in steps of 8 px: dragging the edge must not re-render every row for every pixel.
              width={Math.floor((width || 372) / 8) * 8}
              isLarge={isLarge}
              isGrouped={filter.snoozed === 'only'}
              selected={selected}
              actions={actions}
              stepRef={onStep}
            />
          )}
        </div>
      </div>
    </div>
  )
}
