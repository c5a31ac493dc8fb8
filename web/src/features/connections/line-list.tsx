import { Skeleton } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { IconDeviceMobile } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import type { useLines } from '../../parts/line/use-lines.ts'
import { RecordsTable } from '../../records/records-table.tsx'
import type { RowCommands } from '../../records/table-column.ts'
import { recordTexts } from '../../records/texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import classes from './connections.module.css'
import { LineCards } from './line-cards.tsx'
import { useLineColumns } from './line-columns.tsx'
import { SessionActions } from './session-actions.tsx'
import { texts } from './texts.ts'

type Props = {
  query: ReturnType<typeof useLines>
  createButton: ReactNode
  commandsFor: (line: Connection) => RowCommands
  onShowQr: (line: Connection) => void
  onExplain: (line: Connection) => void
  onShowHealth: (line: Connection) => void
  onShowPace: (line: Connection) => void
}
/** The lines, or the reason why there are none. */
export function LineList({ query, createButton, commandsFor, onShowQr, onExplain, onShowHealth, onShowPace }: Props) {
  const words = useTexts(texts)
  const common = useTexts(recordTexts)
  const can = useCan()
  const small = useIsPhone()
  const scrollRef = useRef<HTMLDivElement>(null)
  const may = { mayAct: can('connections-page:actionButtons'), mayPhone: can('sandbox-page:use') }
  const session = (line: Connection) => <SessionActions line={line} {...may} onShowQr={() => onShowQr(line)} />
  const { data: lines = [], isPending, isError, error, refetch } = query
  const columns = useLineColumns(lines, session, may.mayAct ? onExplain : undefined, onShowHealth, onShowPace)
  const label = words.words.title
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scrollRef} className={classes.scroller} tabIndex={0} aria-label={label} aria-busy={isPending}>
      {isPending && <ListSkeleton />}
      {isError && lines.length === 0 && (
        <ErrorState title={common.failed} error={error} onRetry={() => void refetch()} />
      )}
      {query.isSuccess && lines.length === 0 && (
        <EmptyState
          icon={<IconDeviceMobile size={26} stroke={1.6} />}
          title={words.words.empty}
          line={words.words.emptyLine}
        >
          {createButton}
        </EmptyState>
      )}
      {lines.length > 0 && small && (
        <LineCards {...{ lines, label, commandsFor: commandsFor, session, onShowHealth, onShowPace }} />
      )}
      {lines.length > 0 && !small && (
        <RecordsTable rows={lines} {...{ columns, offer: commandsFor, label, scrollRef: scrollRef }} hasTallRows />
      )}
      {lines.length > 0 && (
        <div className={classes.foot}>
          {words.words.counted(lines.length)} · {common.noMore}
        </div>
      )}
    </section>
  )
}

/** A placeholder list, which appears only after 200 ms. */
function ListSkeleton() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200)
    return () => clearTimeout(timer)
  }, [])
  if (!late) return null
  return [58, 44, 66].map((share) => (
    <div key={share} className={classes.bone}>
      <Skeleton height={12} width={`${share / 4}%`} />
      <Skeleton height={20} width={104} />
      <Skeleton height={12} width={`${share / 3}%`} />
    </div>
  ))
}
