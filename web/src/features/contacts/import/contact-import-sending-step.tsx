import { Button, Progress } from '@mantine/core'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../../../parts/spreadsheet/spreadsheet.module.css'
import { importTexts } from '../../../parts/spreadsheet/texts.ts'
import type { ImportState } from './use-contact-import.ts'

type Props = { state: Extract<ImportState, { step: 'sending' }>; onStop: () => void }

export function ContactImportSendingStep({ state, onStop }: Props) {
  const words = useTexts(importTexts)
  const { done, total, created, isStopping } = state
  return (
    <div className={classes.waiting}>
      <Progress value={total > 0 ? (done / total) * 100 : 0} aria-label={words.title} />
      <p role="status">
        {words.sending(formatNumber(done), formatNumber(total))} · {words.created(created, formatNumber(created))}
      </p>
      <Button variant="default" onClick={onStop} disabled={isStopping} data-autofocus>
        {isStopping ? words.stopping : words.stop}
      </Button>
    </div>
  )
}
