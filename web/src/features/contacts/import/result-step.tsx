import { Button } from '@mantine/core'
import { toCsv } from '@recado/contract/words/csv'
import { IconCircleCheck, IconDownload, IconInfoCircle } from '@tabler/icons-react'
import { download } from '../../../lib/download.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../../../parts/sheet/sheet.module.css'
import { importTexts } from '../../../parts/sheet/texts.ts'
import { useWhy } from '../../../parts/sheet/use-why.ts'
import { Notice } from '../../../ui/notice.tsx'
import type { Refused } from './send-people.ts'
import type { State } from './use-import.ts'

type Props = {
  state: Extract<State, { step: 'done' }>
  onResume: () => void
  onAgain: () => void
  onClose: () => void
}

/** More than this nobody reads on a screen: the file has them all. */
const shown = 200

export function ResultStep({ state, onResume, onAgain, onClose }: Props) {
  const words = useTexts(importTexts)
  const errorText = useErrorText()
  const { created, refused, rest, error } = state
  const Icon = created > 0 ? IconCircleCheck : IconInfoCircle
  return (
    <>
      <div className={classes.result} role="status">
        <Icon size={22} stroke={1.75} aria-hidden="true" data-kind={created > 0 ? 'ok' : undefined} />
        <div>
          <strong>{words.created(created, number(created))}</strong>
          {rest.length > 0 && <p>{words.rest(rest.length, number(rest.length))}</p>}
          {refused.length === 0 && rest.length === 0 && <p>{words.allIn}</p>}
        </div>
      </div>
      {error !== null && (
        <div className={classes.notice}>
          <Notice kind="danger">
            {words.failed}. {errorText(error)}
          </Notice>
        </div>
      )}
      {refused.length > 0 && <RefusedList refused={refused} />}
      <footer className={classes.foot}>
        <Button variant="default" onClick={onAgain}>
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

function RefusedList({ refused }: { refused: Refused[] }) {
  const words = useTexts(importTexts)
  const why = useWhy()
  const rows = refused.toSorted((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity))
  const save = () => {
    const { name, number, email } = words.field
    const lines = rows.map((one) => [one.name, one.number, one.email, why(one.why), String(one.line ?? '')])
    download(words.errorsFile, toCsv([[name, number, email, words.problem, words.line], ...lines]))
  }
  return (
    <>
      <div className={classes.tools}>
        <h3 className={classes.refusedTitle}>{words.refused(rows.length, number(rows.length))}</h3>
        <Button size="xs" variant="default" leftSection={<IconDownload size={15} stroke={2} />} onClick={save}>
          {words.downloadErrors}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.scroller} tabIndex={0} aria-label={words.refused(rows.length, number(rows.length))}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{words.line}</th>
              <th scope="col">{words.field.name}</th>
              <th scope="col">{words.problem}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((one, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <tr key={i}>
                <td className={classes.line}>{one.line === null ? '' : number(one.line)}</td>
                <td data-used title={one.name}>
                  {one.name || '—'}
                </td>
                <td className={classes.why}>{why(one.why)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > shown && <p className={classes.moreRows}>{words.moreRows(number(rows.length - shown))}</p>}
      </section>
    </>
  )
}
