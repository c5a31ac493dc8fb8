import { useElementSize } from '@mantine/hooks'
import { IconArrowUp } from '@tabler/icons-react'
import { useRef } from 'react'
import type { TicketFilter } from '../../../parts/ticket/ticket-filter.ts'
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
  selected: string | undefined
  isLarge: boolean
  words: TicketListTexts
  onShowAllQueues: () => void
  waitingCount: number | string | undefined
  onShowWaiting: () => void
}

/** The rows of a list or their placeholder; new rows wait behind the pill while nothing may move. */
export function TicketListBody({
  label,
  list,
  filter,
  selected,
  isLarge: large,
  words,
  onShowAllQueues: onAllQueues,
  waitingCount: waiting,
  onShowWaiting: onWaiting,
}: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const { ref, width } = useElementSize<HTMLDivElement>()
  const hold = useHoldRows(scroller, list.key)
  const { isHolding: holding, isHovered: hovered } = hold
  const steady = useSteadyRows({
    rows: list.rows,
    key: list.key,
    order: filter.order,
    isHolding: holding,
    isHovered: hovered,
  })
  const deeds = useRowActionHandlers()
  const onStep = useRef<((by: number) => void) | null>(null)
  useTicketListShortcuts(onStep)
  return (
    <div className={classes.whole} {...hold.pointerHandlers}>
      <div className={classes.news} role="status">
        {steady.waitingCount > 0 && (
          <button type="button" className={classes.pill} title={words.newsHint} onClick={hold.release}>
            <IconArrowUp size={14} stroke={2} aria-hidden="true" />
            {words.news(steady.waitingCount)}
          </button>
        )}
      </div>
      <div ref={scroller} className={classes.scroller} {...hold.handlers}>
        <div ref={ref}>
          {list.isLoading ? (
            <TicketListSkeleton />
          ) : list.error ? (
            <TicketListError onRetry={list.retry} />
          ) : steady.visibleRows.length === 0 ? (
            <TicketListEmpty
              {...{ filter, onShowAllQueues: onAllQueues, waitingCount: waiting, onShowWaiting: onWaiting }}
            />
          ) : (
            <TicketRows
              // Rows have other heights on a phone, and heights are measured once.
              key={`${list.key} ${large}`}
              label={label}
              visibleRows={steady.visibleRows}
              list={list}
              scrollRef={scroller}
              // In steps: dragging the edge must not re-render every row for every pixel.
              width={Math.floor((width || 372) / 8) * 8}
              isLarge={large}
              selected={selected}
              actions={deeds}
              stepRef={onStep}
            />
          )}
        </div>
      </div>
    </div>
  )
}
