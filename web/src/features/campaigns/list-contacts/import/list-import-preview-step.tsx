import { Button } from '@mantine/core'
import type { ImportColumns, ListImport } from '@recado/contract/campaigns/contact-lists'
import { extractDigits } from '@recado/contract/contacts'
import { useState } from 'react'
import { formatNumber } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { ColumnHeader } from '../../../../parts/spreadsheet/column-header.tsx'
import { type ColumnTarget, columnTargets } from '../../../../parts/spreadsheet/column-targets.ts'
import classes from '../../../../parts/spreadsheet/spreadsheet.module.css'
import { importTexts } from '../../../../parts/spreadsheet/texts.ts'
import { useRowProblemText } from '../../../../parts/spreadsheet/use-row-problem-text.ts'
import { texts } from '../texts.ts'

type Props = { listImport: ListImport; onRestart: () => void; onImport: (columns: ImportColumns) => Promise<void> }

/** A cell with fewer digits is not a phone number. */
const minPhoneDigits = 8

/** The first rows, and the guessed meaning of each column. */
export function ListImportPreviewStep({ listImport, onRestart, onImport }: Props) {
  const words = useTexts(texts)
  const common = useTexts(importTexts)
  const [columns, setColumns] = useState(listImport.columns)
  const [busy, setBusy] = useState(false)
  const unmapped = columns.number === null
  const run = async () => {
    setBusy(true)
    await onImport(columns)
    setBusy(false)
  }
  return (
    <>
      <div className={classes.summary}>
        <div className={classes.counts} role="status">
          <strong>{common.found(formatNumber(listImport.total))}</strong>
          <span className={classes.fileName} title={listImport.fileName}>
            {listImport.fileName}
          </span>
        </div>
      </div>
      <div className={classes.tools}>
        <p className={classes.columns} data-wrong={unmapped || undefined}>
          {unmapped ? common.noNumber : common.columns}
        </p>
      </div>
      <SampleRows listImport={listImport} columns={columns} onChange={setColumns} />
      <footer className={classes.foot}>
        <Button variant="default" onClick={onRestart}>
          {common.other}
        </Button>
        <span className={classes.rest}>{words.checkedLater}</span>
        <Button onClick={() => void run()} loading={busy} disabled={unmapped || listImport.total === 0} data-autofocus>
          {common.run(listImport.total, formatNumber(listImport.total))}
        </Button>
      </footer>
    </>
  )
}

type SamplesProps = { listImport: ListImport; columns: ImportColumns; onChange: (columns: ImportColumns) => void }
function SampleRows({ listImport, columns, onChange }: SamplesProps) {
  const common = useTexts(importTexts)
  const problemText = useRowProblemText()
  const targetOf = (head: string): ColumnTarget | null =>
    columnTargets.find((target) => columns[target] === head) ?? null
  const assignColumn = (head: string, target: ColumnTarget | null) => {
    const cleared = Object.fromEntries(columnTargets.map((one) => [one, columns[one] === head ? null : columns[one]]))
    onChange({ ...(cleared as ImportColumns), ...(target && { [target]: head }) })
  }
  const at = columns.number === null ? -1 : listImport.headers.indexOf(columns.number)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.scroller} tabIndex={0} aria-label={common.preview}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{common.line}</th>
            {listImport.headers.map((head, i) => (
              <ColumnHeader
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a sheet may have one name
                key={i}
                name={head || common.column(i + 1)}
                target={targetOf(head)}
                onChange={(to) => assignColumn(head, to)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {listImport.samples.map((cells, n) => {
            const wrong = at >= 0 && extractDigits(cells[at] ?? '').length < minPhoneDigits
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a sheet never move
              <tr key={n} data-wrong={wrong || undefined}>
                <td className={classes.line}>{formatNumber(n + 2)}</td>
                {cells.map((cell, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a sheet never move
                  <td key={i} data-used={targetOf(listImport.headers[i] ?? '') !== null || undefined} title={cell}>
                    {cell}
                    {wrong && i === at && (
                      <small className={classes.why}>
                        {' '}
                        {problemText({ field: '', problem: { kind: 'Too Short!', limit: minPhoneDigits, of: 'text' } })}
                      </small>
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      {listImport.total > listImport.samples.length && (
        <p className={classes.moreRows}>
          {common.moreRows(formatNumber(listImport.total - listImport.samples.length))}
        </p>
      )}
    </section>
  )
}
