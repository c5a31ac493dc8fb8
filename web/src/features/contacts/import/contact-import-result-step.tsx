import { Button } from '@mantine/core'
import { toCsv } from '@recado/contract/text/csv'
import { IconCircleCheck, IconDownload, IconInfoCircle } from '@tabler/icons-react'
import { downloadFile } from '../../../lib/download.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../../../parts/spreadsheet/spreadsheet.module.css'
import { importTexts } from '../../../parts/spreadsheet/texts.ts'
import { useRowProblemText } from '../../../parts/spreadsheet/use-row-problem-text.ts'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import type { RefusedRow } from './send-import-rows.ts'
import type { ImportState } from './use-contact-import.ts'

type Props = {
  state: Extract<ImportState, { step: 'done' }>
  onResume: () => void
  onRestart: () => void
  onClose: () => void
}

/** Maximum number of refused rows shown; the file has all of them. */
const maxShownRefusals = 200

export function ContactImportResultStep({ state, onResume, onRestart, onClose }: Props) {
  const words = useTexts(importTexts)
  const errorText = useErrorText()
  const { created, refused, rest, error } = state
  const Icon = created > 0 ? IconCircleCheck : IconInfoCircle
  return (
    <>
      <div className={classes.result} role="status">
        <Icon size={22} stroke={1.75} aria-hidden="true" data-kind={created > 0 ? 'ok' : undefined} />
        <div>
          <strong>{words.created(created, formatNumber(created))}</strong>
          {rest.length > 0 && <p>{words.rest(rest.length, formatNumber(rest.length))}</p>}
          {refused.length === 0 && rest.length === 0 && <p>{words.allIn}</p>}
        </div>
      </div>
      {error !== null && (
        <div className={classes.notice}>
          <InlineNotice kind="danger">
            {words.failed}. {errorText(error)}
          </InlineNotice>
        </div>
      )}
      {refused.length > 0 && <RefusedRowList refused={refused} />}
      <footer className={classes.foot}>
        <Button variant="default" onClick={onRestart}>
          {words.other}
        </Button>
        <span className={classes.rest} />
        {rest.length > 0 && (
          <Button variant="light" onClick={onResume}>
            {words.resume}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {words.done}
        </Button>
      </footer>
    </>
  )
}

function RefusedRowList({ refused }: { refused: RefusedRow[] }) {
  const words = useTexts(importTexts)
  const problemText = useRowProblemText()
  const rows = refused.toSorted((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity))
  const save = () => {
    const { name, number, email } = words.field
    const lines = rows.map((one) => [one.name, one.number, one.email, problemText(one.why), String(one.line ?? '')])
    downloadFile(words.errorsFile, toCsv([[name, number, email, words.problem, words.line], ...lines]))
  }
  return (
    <>
      <div className={classes.tools}>
        <h3 className={classes.refusedTitle}>{words.refused(rows.length, formatNumber(rows.length))}</h3>
        <Button size="xs" variant="default" leftSection={<IconDownload size={15} stroke={2} />} onClick={save}>
          {words.downloadErrors}
        </Button>
      </div>
      <section
        className={classes.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={words.refused(rows.length, formatNumber(rows.length))}
      >
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{words.line}</th>
              <th scope="col">{words.field.name}</th>
              <th scope="col">{words.problem}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maxShownRefusals).map((one, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <tr key={i}>
                <td className={classes.line}>{one.line === null ? '' : formatNumber(one.line)}</td>
                <td data-used title={one.name}>
                  {one.name || '—'}
                </td>
                <td className={classes.why}>{problemText(one.why)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > maxShownRefusals && (
          <p className={classes.moreRows}>{words.moreRows(formatNumber(rows.length - maxShownRefusals))}</p>
        )}
      </section>
    </>
  )
}
