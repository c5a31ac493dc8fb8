import { Button, Skeleton } from '@mantine/core'
import { type Connection, connectionsApi } from '@recado/contract/connections'
import { IconDeviceMobile, IconDeviceMobileMessage, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { lineTexts } from '../../parts/line-texts.ts'
import { useLineNews, useLines } from '../../parts/use-lines.ts'
import type { RowOffer } from '../../records/column.ts'
import { confirmDelete } from '../../records/confirm-delete.ts'
import { RecordsTable } from '../../records/records-table.tsx'
import { recordTexts } from '../../records/texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import classes from './connections.module.css'
import { LineCards } from './line-cards.tsx'
import { useLineColumns } from './line-columns.tsx'
import { LineSummary } from './line-summary.tsx'
import { SessionActions } from './session-actions.tsx'
import { texts } from './texts.ts'

// Both are opened by a click, and are heavier than the table.
const LineForm = lazy(() => import('./line-form.tsx').then((module) => ({ default: module.LineForm })))
const QrDialog = lazy(() => import('./qr-dialog.tsx').then((module) => ({ default: module.QrDialog })))

export function ConnectionsPage() {
  const words = useTexts(texts)
  const can = useCan()
  const lines = useLines()
  const form = useFormState()
  const [qr, setQr] = useState<{ id: number; opened: boolean } | null>(null)
  const news = useLineNews()
  const remove = useRemove()
  const all = lines.data ?? []
  const mayEdit = can('connections-page:editOrDeleteConnection')

  const create = can('connections-page:addConnection') && (
    <Button leftSection={<IconPlus size={17} stroke={2} />} onClick={() => form.open(null)}>
      {words.words.create}
    </Button>
  )
  return (
    <div className={classes.page}>
      <PageHeader title={words.words.title} count={lines.data?.length}>
        {can('sandbox-page:use') && <ToPhone />}
        {create}
      </PageHeader>
      <div className={classes.tools}>
        <LineSummary lines={all} />
        <span className={classes.byItself}>{words.byItself}</span>
      </div>
      <Lines
        query={lines}
        create={create}
        offer={(line) => ({
          name: line.name,
          edit: mayEdit ? () => form.open(line) : null,
          remove: mayEdit ? () => void remove(line) : null,
          more: [],
        })}
        onQr={(line) => setQr({ id: line.id, opened: true })}
      />
      <Suspense fallback={null}>
        {form.used > 0 && (
          <LineForm
            key={form.used}
            {...form.slot}
            onClose={form.close}
            onSaved={(line, isNew) => {
              news({ action: 'update', row: line })
              if (isNew) setQr({ id: line.id, opened: true })
            }}
            onRemove={form.slot.row ? () => remove(form.slot.row as Connection) : undefined}
          />
        )}
        {qr && (
          <QrDialog
            line={all.find((line) => line.id === qr.id)}
            opened={qr.opened}
            onClose={() => setQr({ ...qr, opened: false })}
            mayPhone={can('sandbox-page:use')}
          />
        )}
      </Suspense>
    </div>
  )
}

type LinesProps = {
  query: ReturnType<typeof useLines>
  create: React.ReactNode
  offer: (line: Connection) => RowOffer
  onQr: (line: Connection) => void
}
function Lines({ query, create, offer, onQr }: LinesProps) {
  const words = useTexts(texts)
  const common = useTexts(recordTexts)
  const can = useCan()
  const small = usePhone()
  const scroller = useRef<HTMLDivElement>(null)
  const may = { mayAct: can('connections-page:actionButtons'), mayPhone: can('sandbox-page:use') }
  const session = (line: Connection) => <SessionActions line={line} {...may} onQr={() => onQr(line)} />
  const columns = useLineColumns(session)
  const { data: lines = [], isPending, isError, error, refetch } = query
  const label = words.words.title
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scroller} className={classes.scroller} tabIndex={0} aria-label={label} aria-busy={isPending}>
      {isPending && <Bones />}
      {isError && lines.length === 0 && (
        <ErrorState title={common.failed} error={error} onRetry={() => void refetch()} />
      )}
      {query.isSuccess && lines.length === 0 && (
        <EmptyState
          icon={<IconDeviceMobile size={26} stroke={1.6} />}
          title={words.words.empty}
          line={words.words.emptyLine}
        >
          {create}
        </EmptyState>
      )}
      {lines.length > 0 && small && <LineCards {...{ lines, label, offer, session }} />}
      {lines.length > 0 && !small && <RecordsTable rows={lines} {...{ columns, offer, label, scroller }} tall />}
      {lines.length > 0 && (
        <div className={classes.foot}>
          {words.words.counted(lines.length)} · {common.noMore}
        </div>
      )}
    </section>
  )
}

function ToPhone() {
  const words = useTexts(lineTexts)
  return (
    <Button
      variant="default"
      component={Link}
      {...({ to: '/phone' } as object)}
      leftSection={<IconDeviceMobileMessage size={17} stroke={1.75} />}
    >
      {words.testPhone}
    </Button>
  )
}

/** Nothing shows under 200 ms. */
function Bones() {
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

/** A closed form stays until the next one opens: it fades, and gives the focus back. */
function useFormState() {
  const [state, setState] = useState<{ row: Connection | null; opened: boolean; used: number }>({
    row: null,
    opened: false,
    used: 0,
  })
  return {
    used: state.used,
    slot: { row: state.row, opened: state.opened },
    open: (row: Connection | null) => setState(({ used }) => ({ row, opened: true, used: used + 1 })),
    close: () => setState((before) => ({ ...before, opened: false })),
  }
}

function useRemove(): (line: Connection) => Promise<boolean> {
  const words = useTexts(texts)
  const news = useLineNews()
  return async (line) => {
    const gone = await confirmDelete({
      words: words.words,
      name: line.name,
      consequence: words.consequence,
      remove: () => call(connectionsApi.remove, { params: { id: line.id } }),
    })
    if (gone) news({ action: 'delete', id: line.id })
    return gone
  }
}
