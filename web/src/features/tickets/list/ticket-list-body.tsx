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
  large: boolean
  words: TicketListTexts
  onAllQueues: () => void
  waiting: number | string | undefined
  onWaiting: () => void
}

/** The rows of a list or their placeholder; new rows wait behind the pill while nothing may move. */
export function TicketListBody({
  label,
  list,
  filter,
  selected,
  large,
  words,
  onAllQueues,
  waiting,
  onWaiting,
}: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const { ref, width } = useElementSize<HTMLDivElement>()
  const hold = useHoldRows(scroller, list.key)
  const { holding, hovered } = hold
  const steady = useSteadyRows({ rows: list.rows, key: list.key, order: filter.order, holding, hovered })
  const deeds = useRowActionHandlers()
  const onStep = useRef<((by: number) => void) | null>(null)
  useTicketListShortcuts(onStep)
  return (
    <div className={classes.whole} {...hold.pointer}>
      <div className={classes.news} role="status">
        {steady.waiting > 0 && (
          <button type="button" className={classes.pill} title={words.newsHint} onClick={hold.release}>
            <IconArrowUp size={14} stroke={2} aria-hidden="true" />
            {words.news(steady.waiting)}
          </button>
        )}
      </div>
      <div ref={scroller} className={classes.scroller} {...hold.handlers}>
        <div ref={ref}>
          {list.reading ? (
            <TicketListSkeleton />
          ) : list.error ? (
            <TicketListError onRetry={list.retry} />
          ) : steady.shown.length === 0 ? (
            <TicketListEmpty {...{ filter, onAllQueues, waiting, onWaiting }} />
          ) : (
            <TicketRows
              // Rows have other heights on a phone, and heights are measured once.
              key={`${list.key} ${large}`}
              label={label}
              shown={steady.shown}
              list={list}
              scroller={scroller}
              // In steps: dragging the edge must not re-render every row for every pixel.
              width={Math.floor((width || 372) / 8) * 8}
              large={large}
              selected={selected}
              deeds={deeds}
              onStep={onStep}
            />
          )}
        </div>
      </div>
    </div>
  )
}
