import { ActionIcon, Tooltip } from '@mantine/core'
import { IconChartBar, IconDownload, IconPhoto, IconTable } from '@tabler/icons-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { downloadFile } from '../../lib/download.ts'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import classes from './dashboard.module.css'
import { MetricInfo } from './metric-info.tsx'
import { toSpreadsheetCsv } from './metrics.ts'
import { texts } from './texts.ts'

type Props = {
  title: string
  line?: ReactNode
  /** The data of the chart as rows, the header first. Shown instead of the chart, and exported. */
  rows: (string | number)[][]
  /** The definition of the figure, behind an (i). */
  definition?: ReactNode
  /** Whether the content is already a table. */
  isTable?: boolean
  /** An additional note at the right of the header. */
  headerNote?: ReactNode
  /** Controls beside the export buttons. Controls and export buttons are neither printed nor part of a picture. */
  tools?: ReactNode
  children: ReactNode
}

/** A chart, its table view, and its export. */
export function ReportCard({ title, line, definition, rows, isTable = false, headerNote, tools, children }: Props) {
  const words = useTexts(texts)
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  const card = useRef<HTMLElement>(null)
  const savePicture = async () => {
    // The code that renders pictures loads on request.
    const { renderElementToPng } = await import('./element-to-png.ts')
    downloadFile(`${title}.png`, await renderElementToPng(card.current as HTMLElement), 'image/png')
  }
  const toggleLabel = asTable ? words.asChart : words.asTable
  return (
    <section ref={card} className={classes.card} aria-labelledby={id}>
      <header className={classes.head}>
        <h2 id={id}>{title}</h2>
        {line && <span className={classes.line}>{line}</span>}
        {definition && <MetricInfo metricName={title}>{definition}</MetricInfo>}
        {headerNote && <span className={classes.aside}>{headerNote}</span>}
        <span className={classes.tools} data-no-picture>
          {tools}
          {!isTable && (
            <Tooltip label={toggleLabel}>
              <ActionIcon variant="subtle" aria-label={`${title}: ${toggleLabel}`} onClick={() => setAsTable(!asTable)}>
                {asTable ? <IconChartBar size={17} stroke={1.75} /> : <IconTable size={17} stroke={1.75} />}
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label={words.csv}>
            <ActionIcon
              variant="subtle"
              aria-label={`${title}: ${words.csv}`}
              onClick={() => downloadFile(`${title}.csv`, toSpreadsheetCsv(rows))}
            >
              <IconDownload size={17} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={words.png}>
            <ActionIcon
              variant="subtle"
              aria-label={`${title}: ${words.png}`}
              onClick={() => void savePicture().catch(toast.error)}
            >
              <IconPhoto size={17} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </span>
      </header>
      {asTable ? <RowsTable rows={rows} label={title} /> : children}
    </section>
  )
}

function RowsTable({ rows: [head = [], ...rows], label }: { rows: Props['rows']; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.slice(0, 2).join(' ')}>
              {row.map((cell, n) => (
                <td key={head[n]}>{typeof cell === 'number' ? formatNumber(cell) : cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
