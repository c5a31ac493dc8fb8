import { useMediaQuery } from '@mantine/hooks'
import { type MouseEvent, memo, type ReactNode } from 'react'
import { useTexts } from '../lib/texts.ts'
import type { RecordRow } from './merge-rows.ts'
import classes from './records.module.css'
import { RowActions } from './row-actions.tsx'
import type { RowCommands, RowsProps } from './table-column.ts'
import { recordTexts } from './texts.ts'
import { useColumns } from './use-columns.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

/** Design 8: full width, sticky header, horizontal lines only. */
export function RecordsTable<R extends RecordRow>(props: RowsProps<R>) {
  const { rows, columns, offer, tone, label, hasTallRows: tall, picked, scrollRef: scroller } = props
  const words = useTexts(recordTexts)
  const touch = useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false })
  const height = tall ? 58 : 48
  const { from, to, before, after } = useVirtualRows(rows.length, height, scroller)
  const drawn = rows.slice(from, to)
  const most = Math.max(0, ...drawn.map((row) => countRowButtons(offer(row))))
  const actions = most && 36 + most * (touch ? 46 : 30)
  const shown = useColumns(columns, scroller, actions + (picked ? selectColumnWidthPx : 0))
  return (
    <table className={classes.table} data-tall={tall || undefined} aria-label={label} aria-rowcount={rows.length + 1}>
      <colgroup>
        {picked && <col style={{ width: selectColumnWidthPx }} />}
        {shown.map((column) => (
          <col key={column.key} style={{ width: column.width }} />
        ))}
        {actions > 0 && <col style={{ width: actions }} />}
      </colgroup>
      <Head columns={shown} actions={actions > 0 ? words.actions : null} picked={picked} rowCount={rows.length} />
      <tbody>
        {before > 0 && <tr className={classes.spacer} style={{ height: before }} />}
        {drawn.map((row, i) => (
          <OneRow
            key={row.id}
            {...{ row, columns: shown, offer, tone, picked, actions: actions > 0, index: from + i + 2 }}
          />
        ))}
        {after > 0 && <tr className={classes.spacer} style={{ height: after }} />}
      </tbody>
    </table>
  )
}

/** Width of the selection column. */
const selectColumnWidthPx = 52

function countRowButtons({ edit, remove, more }: RowCommands): number {
  const direct = more.filter((one) => one.direct !== undefined).length
  return Number(edit !== null) + Number(remove !== null) + direct + Number(more.length > direct)
}

type OneRowProps<R> = Pick<RowsProps<R>, 'columns' | 'offer' | 'tone' | 'picked'> & {
  row: R
  actions: boolean
  index: number
}
/** Memoized: scrolling renders only rows that become visible. */
const OneRow = memo(function OneRow<R extends RecordRow>(props: OneRowProps<R>) {
  const { row, columns, offer, tone, picked, actions, index } = props
  const words = useTexts(recordTexts)
  const { name, edit, remove } = offer(row)
  return (
    // For the keyboard there is the edit button.
    <tr
      data-row={row.id}
      data-tone={tone?.(row)}
      data-opens={edit !== null || undefined}
      aria-rowindex={index}
      onClick={(event) => edit && isRowClick(event) && edit()}
    >
      {picked && (
        <td>
          {remove && (
            <input
              type="checkbox"
              className={classes.pick}
              aria-label={words.pick(name)}
              checked={picked.isSelected(row)}
              onChange={() => picked.toggle(row)}
            />
          )}
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} data-right={column.alignRight || undefined}>
          {column.cell(row)}
        </td>
      ))}
      {actions && (
        <td data-right data-actions>
          <RowActions commands={offer(row)} />
        </td>
      )}
    </tr>
  )
}) as <R extends RecordRow>(props: OneRowProps<R>) => ReactNode

/** Whether the click is on the row itself: not on a control, and not the end of a text selection. */
function isRowClick({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  const on = target as Element
  // Portals, such as menus, bubble their clicks here too.
  if (!currentTarget.contains(on) || on.closest('a, button, input, label')) return false
  return !getSelection()?.toString()
}

type HeadProps<R> = Pick<RowsProps<R>, 'columns' | 'picked'> & { actions: string | null; rowCount: number }
function Head<R>({ columns, actions, picked, rowCount: whole }: HeadProps<R>) {
  const words = useTexts(recordTexts)
  return (
    <thead>
      <tr>
        {picked && (
          <th scope="col">
            <input
              type="checkbox"
              className={classes.pick}
              aria-label={words.pickAll}
              checked={whole > 0 && picked.rows.length === whole}
              onChange={picked.toggleAll}
            />
          </th>
        )}
        {columns.map((column) => (
          <th key={column.key} scope="col" data-right={column.alignRight || undefined}>
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
