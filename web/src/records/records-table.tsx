import { useMediaQuery } from '@mantine/hooks'
import { memo, type ReactNode } from 'react'
import { useTexts } from '../lib/texts.ts'
import type { Column, RowOffer, RowsProps } from './column.ts'
import type { Row } from './merge.ts'
import classes from './records.module.css'
import { RowActions } from './row-actions.tsx'
import { recordTexts } from './texts.ts'
import { useColumns } from './use-columns.ts'
import { useWindow } from './use-window.ts'

/** Design 8: edge to edge, sticky head, horizontal hairlines only. */
export function RecordsTable<R extends Row>({ rows, columns, offer, tone, label, tall, scroller }: RowsProps<R>) {
  const words = useTexts(recordTexts)
  const touch = useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false })
  const height = tall ? 58 : 48
  const { from, to, before, after } = useWindow(rows.length, height, scroller)
  const drawn = rows.slice(from, to)
  const most = Math.max(0, ...drawn.map((row) => buttons(offer(row))))
  const actions = most && 36 + most * (touch ? 46 : 30)
  const shown = useColumns(columns, scroller, actions)
  return (
    <table className={classes.table} data-tall={tall || undefined} aria-label={label} aria-rowcount={rows.length + 1}>
      <colgroup>
        {shown.map((column) => (
          <col key={column.key} style={{ width: column.width }} />
        ))}
        {actions > 0 && <col style={{ width: actions }} />}
      </colgroup>
      <Head columns={shown} actions={actions > 0 ? words.actions : null} />
      <tbody>
        {before > 0 && <tr className={classes.spacer} style={{ height: before }} />}
        {drawn.map((row, i) => (
          <OneRow key={row.id} {...{ row, columns: shown, offer, tone, actions: actions > 0, index: from + i + 2 }} />
        ))}
        {after > 0 && <tr className={classes.spacer} style={{ height: after }} />}
      </tbody>
    </table>
  )
}

function buttons({ edit, remove, more }: RowOffer): number {
  const direct = more.filter((one) => one.direct !== undefined).length
  return Number(edit !== null) + Number(remove !== null) + direct + Number(more.length > direct)
}

type OneRowProps<R> = Pick<RowsProps<R>, 'columns' | 'offer' | 'tone'> & { row: R; actions: boolean; index: number }
/** Scrolling draws the rows that come into sight, not those that already stand there. */
const OneRow = memo(function OneRow<R extends Row>({ row, columns, offer, tone, actions, index }: OneRowProps<R>) {
  return (
    <tr data-row={row.id} data-tone={tone?.(row)} aria-rowindex={index}>
      {columns.map((column) => (
        <td key={column.key} data-right={column.right || undefined}>
          {column.cell(row)}
        </td>
      ))}
      {actions && (
        <td data-right data-actions>
          <RowActions offer={offer(row)} />
        </td>
      )}
    </tr>
  )
}) as <R extends Row>(props: OneRowProps<R>) => ReactNode

function Head<R>({ columns, actions }: { columns: Column<R>[]; actions: string | null }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.key} scope="col" data-right={column.right || undefined}>
            {column.head}
          </th>
        ))}
        {actions && (
          <th scope="col">
            <span className={classes.unseen}>{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
