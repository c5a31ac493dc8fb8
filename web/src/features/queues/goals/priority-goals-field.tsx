import { NumberInput } from '@mantine/core'
import { useTexts } from '../../../lib/texts.ts'
import { PriorityMark } from '../../../parts/ticket/priority-mark.tsx'
import { priorityTexts } from '../../../parts/ticket/priority-texts.ts'
import type { FieldSlot } from '../../../records/fields/field.ts'
import type { QueueFormValues } from '../queue-form-values.ts'
import classes from './priority-goals.module.css'
import { priorityGoalsTexts } from './priority-goals-texts.ts'

const rows = [
  { priority: 'urgent', answer: 'answerGoalUrgent', resolve: 'resolveGoalUrgent' },
  { priority: 'high', answer: 'answerGoalHigh', resolve: 'resolveGoalHigh' },
  { priority: 'low', answer: 'answerGoalLow', resolve: 'resolveGoalLow' },
] as const

/** The goals of tickets with a priority other than normal. An empty field shows the queue's goal, which then counts. */
export function PriorityGoalsField({ form }: FieldSlot<QueueFormValues>) {
  const words = useTexts(priorityGoalsTexts)
  const { names } = useTexts(priorityTexts)
  const { answerGoal, resolveGoal } = form.values
  const columns = [
    { kind: 'answer', label: words.answer, whole: answerGoal },
    { kind: 'resolve', label: words.resolve, whole: resolveGoal },
  ] as const
  return (
    <fieldset className={classes.root}>
      <legend className={classes.legend}>{words.title}</legend>
      <div className={classes.grid}>
        <span />
        {columns.map(({ kind, label }) => (
          <span key={kind} className={classes.head} aria-hidden="true">
            {label}
          </span>
        ))}
        {rows.map((row) => (
          <div key={row.priority} className={classes.row}>
            <span className={classes.name} aria-hidden="true">
              <PriorityMark priority={row.priority} size={14} />
              {names[row.priority]}
            </span>
            {columns.map(({ kind, label, whole }) => (
              <NumberInput
                key={kind}
                aria-label={words.field(label, names[row.priority])}
                min={1}
                max={129_600}
                allowDecimal={false}
                placeholder={whole === '' ? words.none : String(whole)}
                value={form.values[row[kind]]}
                error={form.errors[row[kind]]}
                onChange={(value) => {
                  form.clearFieldError(row[kind])
                  form.setFieldValue(row[kind], typeof value === 'number' ? value : '')
                }}
              />
            ))}
          </div>
        ))}
      </div>
      <p className={classes.help}>{words.help}</p>
    </fieldset>
  )
}
