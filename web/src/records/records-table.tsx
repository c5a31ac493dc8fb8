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

/** A table with full width, a sticky header and only horizontal borders (design 8). */
export function RecordsTable<R extends RecordRow>(props: RowsProps<R>) {
  const { rows, columns, offer: commandsFor, tone, label, hasTallRows, picked: selection, scrollRef } = props
  const words = useTexts(recordTexts)
  const touch = useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false })
  const height = hasTallRows ? 58 : 48
  const { from, to, before, after } = useVirtualRows(rows.length, height, scrollRef)
  const renderedRows = rows.slice(from, to)
  const most = Math.max(0, ...renderedRows.map((row) => countRowButtons(commandsFor(row))))
  const actionsWidth = most && 36 + most * (touch ? 46 : 30)
  const visibleColumns = useColumns(columns, scrollRef, actionsWidth + (selection ? selectColumnWidthPx : 0))
  return (
    <table
      className={classes.table}
      data-tall={hasTallRows || undefined}
      aria-label={label}
      aria-rowcount={rows.length + 1}
    >
      <colgroup>
        {selection && <col style={{ width: selectColumnWidthPx }} />}
        {visibleColumns.map((column) => (
          <col key={column.key} style={{ width: column.width }} />
        ))}
        {actionsWidth > 0 && <col style={{ width: actionsWidth }} />}
      </colgroup>
      <Head
        columns={visibleColumns}
        actions={actionsWidth > 0 ? words.actions : null}
        picked={selection}
        rowCount={rows.length}
      />
      <tbody>
        {before > 0 && <tr className={classes.spacer} style={{ height: before }} />}
        {renderedRows.map((row, i) => (
          <OneRow
            key={row.id}
            {...{
              row,
              columns: visibleColumns,
              offer: commandsFor,
              tone,
              picked: selection,
              actions: actionsWidth > 0,
              index: from + i + 2,
            }}
          />
        ))}
        {after > 0 && <tr className={classes.spacer} style={{ height: after }} />}
      </tbody>
    </table>
  )
}

/** Width of the selection column. */
const selectColumnWidthPx = 52

function countRowButtons({ edit, remove, more: extraCommands }: RowCommands): number {
  const direct = extraCommands.filter((one) => one.direct !== undefined).length
  return Number(edit !== null) + Number(remove !== null) + direct + Number(extraCommands.length > direct)
}

type OneRowProps<R> = Pick<RowsProps<R>, 'columns' | 'offer' | 'tone' | 'picked'> & {
  row: R
  actions: boolean
  index: number
}
/** One row. It is memoized, so that scrolling renders only rows that become visible. */
const OneRow = memo(function OneRow<R extends RecordRow>(props: OneRowProps<R>) {
  const { row, columns, offer: commandsFor, tone, picked: selection, actions: hasActions, index } = props
  const words = useTexts(recordTexts)
  const { name, edit, remove } = commandsFor(row)
  return (
    // Clicking the row is for the pointer; keyboard users have the edit button.
    <tr
      data-row={row.id}
      data-tone={tone?.(row)}
      data-opens={edit !== null || undefined}
      aria-rowindex={index}
      onClick={(event) => edit && isRowClick(event) && edit()}
    >
      {selection && (
        <td>
          {remove && (
            <input
              type="checkbox"
              className={classes.pick}
              aria-label={words.pick(name)}
              checked={selection.isSelected(row)}
              onChange={() => selection.toggle(row)}
            />
          )}
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} data-right={column.alignRight || undefined}>
          {column.cell(row)}
        </td>
      ))}
      {hasActions && (
        <td data-right data-actions>
          <RowActions commands={commandsFor(row)} />
        </td>
      )}
    </tr>
  )
}) as <R extends RecordRow>(props: OneRowProps<R>) => ReactNode

/** Whether the click is on the row itself: not on a control, and not the end of a text selection. */
function isRowClick({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  const on = target as Element
  // Portals, such as menus, bubble their clicks to this row too.
  if (!currentTarget.contains(on) || on.closest('a, button, input, label')) return false
  return !getSelection()?.toString()
}

type HeadProps<R> = Pick<RowsProps<R>, 'columns' | 'picked'> & { actions: string | null; rowCount: number }
function Head<R>({ columns, actions: actionsWidth, picked: selection, rowCount }: HeadProps<R>) {
  const words = useTexts(recordTexts)
  return (
    <thead>
      <tr>
        {selection && (
          <th scope="col">
            <input
              type="checkbox"
              className={classes.pick}
              aria-label={words.pickAll}
              checked={rowCount > 0 && selection.rows.length === rowCount}
              onChange={selection.toggleAll}
            />
          </th>
        )}
        {columns.map((column) => (
          <th key={column.key} scope="col" data-right={column.alignRight || undefined}>
            {column.head}
          </th>
        ))}
        {actionsWidth && (
          <th scope="col">
            <span className={classes.unseen}>{actionsWidth}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
