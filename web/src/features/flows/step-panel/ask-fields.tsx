import { NativeSelect, Switch } from '@mantine/core'
import type { AskedAnswer } from '@recado/contract/flows/flow-steps'
import { useTexts } from '../../../lib/texts.ts'
import { emptyAnswer } from '../empty-step.ts'
import { AnswerLimits } from './answer-limits.tsx'
import { FlowTextField } from './flow-text-field.tsx'
import classes from './panel.module.css'
import type { FieldsProps } from './panel-context.ts'
import { stepPanelTexts } from './texts.ts'
import { DurationField, FieldGroup, VariableField } from './value-fields.tsx'
import { variablesOfFlow } from './variables-before.ts'

const answerKinds: AskedAnswer['kind'][] = ['text', 'number', 'date', 'choice', 'email', 'taxId', 'file', 'place']
const maxRetries = 5
const newSilenceMinutes = 60

export function AskFields({ step, panel, onChange }: FieldsProps<'ask'>) {
  const words = useTexts(stepPanelTexts)
  const { answer, silence } = step
  return (
    <>
      <FlowTextField
        label={words.question}
        limit={4096}
        variables={panel.variables}
        value={step.text}
        isRequired
        onChange={(text) => onChange({ ...step, text })}
      />
      <NativeSelect
        label={words.waits}
        data={answerKinds.map((value) => ({ value, label: words.answers[value] }))}
        value={answer.kind}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...step, answer: emptyAnswer(value as AskedAnswer['kind'], words.option(1)) })
        }
      />
      <AnswerLimits answer={answer} onChange={(next) => onChange({ ...step, answer: next })} />
      <VariableField
        label={words.saveIn}
        help={words.saveInHelp}
        variables={variablesOfFlow(panel.document)}
        value={step.variable}
        onChange={(variable) => onChange({ ...step, variable })}
      />
      <FieldGroup label={words.notUnderstood} help={words.thenOtherwise}>
        <NativeSelect
          aria-label={words.retries}
          data={Array.from({ length: maxRetries + 1 }, (_, n) => ({ value: String(n), label: words.retry(n) }))}
          value={String(step.retries)}
          onChange={({ currentTarget: { value } }) => onChange({ ...step, retries: Number(value) })}
        />
      </FieldGroup>
      {step.retries > 0 && (
        <FlowTextField
          label={words.retryText}
          help={words.retryTextHelp}
          limit={1024}
          rows={1}
          variables={panel.variables}
          value={step.retryText}
          onChange={(retryText) => onChange({ ...step, retryText })}
        />
      )}
      <SilenceField silence={silence} onChange={(next) => onChange({ ...step, silence: next })} />
    </>
  )
}

type Silence = { minutes: number; next: string | null } | null
type SilenceProps = { silence: Silence; onChange: (silence: Silence) => void }
/** Whether the step is left when the customer does not answer, and after how long. */
export function SilenceField({ silence, onChange }: SilenceProps) {
  const words = useTexts(stepPanelTexts)
  return (
    <div className={classes.group}>
      <Switch
        label={words.silence}
        checked={silence !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { minutes: newSilenceMinutes, next: null } : null)}
      />
      {silence && (
        <DurationField
          label={words.after}
          minutes={silence.minutes}
          onChange={(minutes) => onChange({ ...silence, minutes })}
        />
      )}
    </div>
  )
}
