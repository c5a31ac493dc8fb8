import { Button, Progress } from '@mantine/core'
import { number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../../../parts/sheet/sheet.module.css'
import { importTexts } from '../../../parts/sheet/texts.ts'
import type { State } from './use-import.ts'

type Props = { state: Extract<State, { step: 'sending' }>; onStop: () => void }

export function SendingStep({ state, onStop }: Props) {
  const words = useTexts(importTexts)
  const { done, total, created, stopping } = state
  return (
    <div className={classes.waiting}>
      <Progress value={total > 0 ? (done / total) * 100 : 0} aria-label={words.title} />
      <p role="status">
        {words.sending(number(done), number(total))} · {words.created(created, number(created))}
      </p>
      <Button variant="default" onClick={onStop} disabled={stopping} data-autofocus>
        {stopping ? words.stopping : words.stop}
      </Button>
    </div>
  )
}
