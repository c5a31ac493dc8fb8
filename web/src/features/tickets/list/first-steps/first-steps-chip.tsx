import { Button } from '@mantine/core'
import type { FirstStepsState } from '@recado/contract/settings'
import { IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import { Sheet } from '../../../../ui/sheet.tsx'
import classes from './first-steps.module.css'
import { StepList } from './first-steps-card.tsx'
import { texts } from './texts.ts'

/** Opens the steps again. */
export function FirstStepsChip({ steps, onHide }: { steps: FirstStepsState; onHide: () => void }) {
  const words = useTexts(texts)
  const [opened, setOpened] = useState(false)
  const doneCount = [steps.line, steps.queue, steps.people].filter(Boolean).length
  return (
    <>
      <button type="button" className={classes.chip} onClick={() => setOpened(true)}>
        <IconListCheck size={16} stroke={1.75} aria-hidden="true" />
        {doneCount < 3 ? words.chip(doneCount) : words.chipAnswer}
      </button>
      <Sheet opened={opened} onClose={() => setOpened(false)} size={560} title={words.title}>
        <div className={classes.sheet}>
          <StepList steps={steps} />
          {doneCount === 3 && <p className={classes.line}>{words.answerText}</p>}
          <Button variant="subtle" color="gray" size="xs" onClick={onHide}>
            {words.hideForGood}
          </Button>
        </div>
      </Sheet>
    </>
  )
}
