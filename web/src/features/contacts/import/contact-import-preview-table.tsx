import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ColumnHeader } from '../../../parts/spreadsheet/column-header.tsx'
import classes from '../../../parts/spreadsheet/spreadsheet.module.css'
import { importTexts } from '../../../parts/spreadsheet/texts.ts'
import { useRowProblemText } from '../../../parts/spreadsheet/use-row-problem-text.ts'
import { type ColumnMapping, remapColumn, targetOfColumn } from './column-mapping.ts'
import type { ImportRow } from './import-rows.ts'
import { columnName } from './spreadsheet-table.ts'
import type { ImportPreview } from './use-contact-import.ts'

/** Enough rows to recognize the columns; the result shows all rows. */
const maxPreviewRows = 100

type Props = { preview: ImportPreview; people: ImportRow[]; onMapping: (mapping: ColumnMapping) => void }

export function ContactImportPreviewTable({ preview, people, onMapping }: Props) {
  const words = useTexts(importTexts)
  const { sheet, mapping, headless } = preview
  const first = headless ? 1 : 2
  const previewRows = people.slice(0, maxPreviewRows)
  const hasAnyProblem = people.some((person) => person.wrong !== null)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.scroller} tabIndex={0} aria-label={words.preview}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{words.line}</th>
            {hasAnyProblem && <th scope="col">{words.problem}</th>}
            {sheet.columns.map((column, i) => (
              <ColumnHeader
                key={column}
                name={columnName(column) ?? words.column(i + 1)}
                target={targetOfColumn(mapping, i)}
                onChange={(target) => onMapping(remapColumn(mapping, i, target))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {previewRows.map((person) => (
            <PreviewRow
              key={person.line}
              {...{ person, hasAnyProblem: hasAnyProblem, mapping }}
              cells={sheet.rows[person.line - first] ?? []}
            />
          ))}
        </tbody>
      </table>
      {people.length > maxPreviewRows && (
        <p className={classes.moreRows}>{words.moreRows(formatNumber(people.length - maxPreviewRows))}</p>
      )}
    </section>
  )
}

type RowProps = { person: ImportRow; hasAnyProblem: boolean; mapping: ColumnMapping; cells: string[] }
function PreviewRow({ person, hasAnyProblem, mapping, cells }: RowProps) {
  const why = useRowProblemText()
  return (
    <tr data-wrong={person.wrong !== null || undefined}>
      <td className={classes.line}>{formatNumber(person.line)}</td>
      {hasAnyProblem && <td className={classes.why}>{person.wrong && why(person.wrong)}</td>}
      {cells.map((cell, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a sheet never move
        <td key={i} data-used={targetOfColumn(mapping, i) !== null || undefined} title={cell}>
          {cell}
        </td>
      ))}
    </tr>
  )
}
