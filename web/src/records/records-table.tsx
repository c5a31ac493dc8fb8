import { useMediaQuery } from '@mantine/hooks'
import { useTexts } from '../lib/texts.ts'
import type { Column, RowsProps } from './column.ts'
import type { Row } from './merge.ts'
import classes from './records.module.css'
import { RowActions } from './row-actions.tsx'
import { recordTexts } from './texts.ts'
import { useWindow } from './use-window.ts'

/** Design 8: edge to edge, sticky head, horizontal hairlines only. */
export function RecordsTable<R extends Row>({ rows, columns, offer, tone, label, tall, scroller }: RowsProps<R>) {
  const words = useTexts(recordTexts)
  const narrow = useMediaQuery('(max-width: 56.24em)', undefined, { getInitialValueInEffect: false })
  const shown = narrow ? columns.filter((column) => !column.low) : columns
  const height = tall ? 58 : 48
  const { from, to, before, after } = useWindow(rows.length, height, scroller)
  const offers = rows.slice(from, to).map(offer)
  const widest = Math.max(
    0,
    ...offers.map((one) => Number(!!one.edit) + Number(!!one.remove) + Number(!!one.more.length)),
  )
  return (
    <table className={classes.table} data-tall={tall || undefined} aria-label={label} aria-rowcount={rows.length + 1}>
      <colgroup>
        {shown.map((column) => (
          <col key={column.key} style={{ width: column.width }} />
        ))}
        {widest > 0 && <col style={{ width: 36 + 30 * widest }} />}
      </colgroup>
      <Head columns={shown} actions={widest > 0 ? words.actions : null} />
      <tbody>
        {before > 0 && <tr className={classes.spacer} style={{ height: before }} />}
        {rows.slice(from, to).map((row, i) => (
          <tr key={row.id} data-row={row.id} data-tone={tone?.(row)} aria-rowindex={from + i + 2}>
            {shown.map((column) => (
              <td key={column.key} data-right={column.right || undefined}>
                {column.cell(row)}
              </td>
            ))}
            {widest > 0 && <td data-right>{offers[i] && <RowActions offer={offers[i]} />}</td>}
          </tr>
        ))}
        {after > 0 && <tr className={classes.spacer} style={{ height: after }} />}
      </tbody>
    </table>
  )
}

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
