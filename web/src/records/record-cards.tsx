import type { RecordRow } from './merge-rows.ts'
import classes from './records.module.css'
import { RowMenu } from './row-actions.tsx'
import type { RowCommands, RowsProps, TableColumn } from './table-column.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

const cardHeight = 65

/** The rows as cards where there is no room for a table. Each card has two rows of text and a menu. */
export function RecordCards<R extends RecordRow>({ rows, columns, offer, tone, label, mark, scrollRef }: RowsProps<R>) {
  const { from, to, before, after } = useVirtualRows(rows.length, cardHeight, scrollRef)
  return (
    <ul className={classes.cards} aria-label={label} style={{ paddingTop: before, paddingBottom: after }}>
      {rows.slice(from, to).map((row) => (
        <li key={row.id} className={classes.card} data-row={row.id} data-tone={tone?.(row)}>
          {mark?.(row)}
          <CardText row={row} columns={columns} commands={offer(row)} />
          {columnsAtCardPlace(columns, 'end').map((column) => (
            <span key={column.key} className={classes.cardEnd}>
              {column.cell(row)}
            </span>
          ))}
          <RowMenu commands={offer(row)} />
        </li>
      ))}
    </ul>
  )
}

const columnsAtCardPlace = <R,>(columns: TableColumn<R>[], place: TableColumn<R>['card']) =>
  columns.filter((column) => column.card === place)

function CardText<R extends RecordRow>({
  row,
  columns,
  commands: offer,
}: {
  row: R
  columns: TableColumn<R>[]
  commands: RowCommands
}) {
  const lines = columnsAtCardPlace(columns, 'line')
  const inside = (
    <>
      <span className={classes.cardTitle}>{columnsAtCardPlace(columns, 'title')[0]?.cell(row)}</span>
      {lines.length > 0 && (
        <span className={classes.cardLine}>
          {lines.map((column) => (
            <span key={column.key}>{column.cell(row)}</span>
          ))}
        </span>
      )}
    </>
  )
  if (!offer.edit) return <div className={classes.cardWords}>{inside}</div>
  return (
    <button type="button" className={classes.cardWords} onClick={offer.edit}>
      {inside}
    </button>
  )
}
