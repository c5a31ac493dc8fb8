import { Button } from '@mantine/core'
import { type Connection, connectionsApi } from '@recado/contract/connections'
import { IconDeviceMobileMessage, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { lineTexts } from '../../parts/line-texts.ts'
import { useLineNews, useLines } from '../../parts/use-lines.ts'
import { confirmDelete } from '../../records/confirm-delete.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import classes from './connections.module.css'
import { LineList } from './line-list.tsx'
import { LineSummary } from './line-summary.tsx'
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
        {/* Where there is nothing yet, the way to begin stands in the middle, and nowhere else. */}
        {lines.data?.length !== 0 && create}
      </PageHeader>
      <div className={classes.tools}>
        <LineSummary lines={all} />
        <span className={classes.byItself}>{words.byItself}</span>
      </div>
      <LineList
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
