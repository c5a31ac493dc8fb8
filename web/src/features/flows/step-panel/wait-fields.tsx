import { SegmentedControl } from '@mantine/core'
import { useTexts } from '../../../lib/texts.ts'
import classes from './panel.module.css'
import type { FieldsProps, StepOf } from './panel-context.ts'
import { stepPanelTexts } from './texts.ts'
import { CheckField, DurationField, VariableField } from './value-fields.tsx'
import { variablesOfFlow } from './variables-before.ts'

type Until = StepOf<'wait'>['until']
const kinds: Until['kind'][] = ['time', 'opening', 'answer']
const newMinutes = 60

function newUntil(kind: Until['kind'], before: Until): Until {
  const minutes = 'minutes' in before ? before.minutes : newMinutes
  if (kind === 'time') return { kind, minutes, inOpenHours: false }
  return kind === 'answer' ? { kind, minutes, variable: null } : { kind }
}

export function WaitFields({ step, panel, onChange }: FieldsProps<'wait'>) {
  const words = useTexts(stepPanelTexts)
  const { until } = step
  const change = (next: Until) =>
    // Only a wait for an answer can be left without one.
    onChange({ ...step, until: next, ...(next.kind !== 'answer' && { otherwise: null }) })
  return (
    <>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={words.waits}
        data={kinds.map((value) => ({ value, label: words.waitKinds[value] }))}
        value={until.kind}
        onChange={(value) => change(newUntil(value as Until['kind'], until))}
      />
      {until.kind !== 'opening' && (
        <DurationField
          label={words.minutes}
          minutes={until.minutes}
          onChange={(minutes) => change({ ...until, minutes })}
        />
      )}
      {until.kind === 'time' && (
        <CheckField
          label={words.inOpenHours}
          isOn={until.inOpenHours}
          onChange={(inOpenHours) => change({ ...until, inOpenHours })}
        />
      )}
      {until.kind === 'answer' && (
        <VariableField
          label={words.saveIn}
          help={words.saveInHelp}
          variables={variablesOfFlow(panel.document)}
          value={until.variable}
          onChange={(variable) => change({ ...until, variable })}
        />
      )}
      {until.kind !== 'time' && (
        <p className={classes.help}>{until.kind === 'opening' ? words.openingHelp : words.answerHelp}</p>
      )}
    </>
  )
}
