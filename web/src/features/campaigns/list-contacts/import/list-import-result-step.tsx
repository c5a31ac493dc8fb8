import { Button } from '@mantine/core'
import type { ListImport } from '@recado/contract/campaigns/contact-lists'
import { toCsv } from '@recado/contract/text/csv'
import { IconDownload } from '@tabler/icons-react'
import { ApiError, type FailureCode } from '../../../../lib/api.ts'
import { downloadFile } from '../../../../lib/download.ts'
import { useErrorText } from '../../../../lib/errors.ts'
import { formatNumber } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import classes from '../../../../parts/spreadsheet/spreadsheet.module.css'
import { importTexts } from '../../../../parts/spreadsheet/texts.ts'
import { useRowProblemText } from '../../../../parts/spreadsheet/use-row-problem-text.ts'
import { InlineNotice } from '../../../../ui/inline-notice.tsx'
import own from '../list-contacts.module.css'
import { texts } from '../texts.ts'

type Props = { listImport: ListImport; onRestart: () => void; onClose: () => void }

export function ListImportResultStep({ listImport, onRestart, onClose }: Props) {
  const words = useTexts(texts)
  const common = useTexts(importTexts)
  const errorText = useErrorText()
  return (
    <>
      <div className={own.figures} role="status">
        <ResultCount value={listImport.created} label={words.figures.created} />
        <ResultCount value={listImport.doubled} label={words.figures.doubled} />
        <ResultCount value={listImport.refused} label={words.figures.refused} isDanger={listImport.refused > 0} />
      </div>
      {listImport.state !== 'done' && (
        <div className={classes.choose}>
          <InlineNotice kind={listImport.state === 'failed' ? 'danger' : 'info'}>
            {listImport.state === 'stopped'
              ? words.stopped(formatNumber(listImport.done), formatNumber(listImport.total))
              : `${common.failed}. ${errorText(new ApiError((listImport.error ?? 'ERR_INTERNAL_SERVER_ERROR') as FailureCode, 0))}`}
          </InlineNotice>
        </div>
      )}
      {listImport.errors.length > 0 && <RefusedRows listImport={listImport} />}
      <footer className={classes.foot}>
        <Button variant="default" onClick={onRestart}>
          {common.other}
        </Button>
        <span className={classes.rest} />
        <Button onClick={onClose} data-autofocus>
          {common.done}
        </Button>
      </footer>
    </>
  )
}

const ResultCount = ({ value, label, isDanger }: { value: number; label: string; isDanger?: boolean }) => (
  <div className={own.figure} data-kind={isDanger ? 'danger' : undefined}>
    <b>{formatNumber(value)}</b>
    <span>{label}</span>
  </div>
)

function RefusedRows({ listImport }: { listImport: ListImport }) {
  const common = useTexts(importTexts)
  const problemText = useRowProblemText()
  const title = common.refused(listImport.refused, formatNumber(listImport.refused))
  const save = () =>
    downloadFile(
      common.errorsFile,
      toCsv([
        [common.line, common.field.name, common.problem],
        ...listImport.errors.map((one) => [String(one.row), one.name, problemText(one)]),
      ]),
    )
  return (
    <>
      <div className={classes.tools}>
        <h3 className={classes.refusedTitle}>{title}</h3>
        <Button size="xs" variant="default" leftSection={<IconDownload size={15} stroke={2} />} onClick={save}>
          {common.downloadErrors}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.scroller} tabIndex={0} aria-label={title}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{common.line}</th>
              <th scope="col">{common.field.name}</th>
              <th scope="col">{common.problem}</th>
            </tr>
          </thead>
          <tbody>
            {listImport.errors.map((one, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <tr key={i}>
                <td className={classes.line}>{formatNumber(one.row)}</td>
                <td data-used>{one.name || '—'}</td>
                <td className={classes.why}>{problemText(one)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
