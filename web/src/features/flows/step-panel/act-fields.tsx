import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { SentenceTokens } from '../rules/editor/sentence-tokens.tsx'
import { tokensOfStep } from '../rules/editor/step-tokens.tsx'
import { ruleEditorTexts } from '../rules/editor/texts.ts'
import { EntitiesToken } from '../rules/editor/value-tokens.tsx'
import { namesOf } from '../sentence/sentences.ts'
import { FlowTextField } from './flow-text-field.tsx'
import classes from './panel.module.css'
import type { FieldsProps } from './panel-context.ts'
import { stepPanelTexts } from './texts.ts'
import { VariableField } from './value-fields.tsx'
import { variablesOfFlow } from './variables-before.ts'

type SentenceKind = 'tags' | 'priority' | 'queue' | 'assign' | 'snooze' | 'resolve' | 'person'

/** A step that is one sentence of tokens, as in rules. */
export function SentenceFields({ step, panel, onChange }: FieldsProps<SentenceKind>) {
  const words = useTexts(ruleEditorTexts)
  const slots = tokensOfStep({ step, sentences: panel.sentences, words, onChange })
  const pattern = panel.sentences.words.steps[step.kind].says
  return (
    <div className={classes.sentence}>
      {/* The text of a farewell has a field of its own. */}
      <SentenceTokens pattern={step.kind === 'person' ? pattern.replace('{text}', '') : pattern} slots={slots} />
    </div>
  )
}

export function SetVariableFields({ step, panel, onChange }: FieldsProps<'setVariable'>) {
  const words = useTexts(stepPanelTexts)
  return (
    <>
      <VariableField
        label={words.saveIn}
        help={words.saveInHelp}
        isRequired
        variables={variablesOfFlow(panel.document)}
        value={step.variable}
        onChange={(variable) => onChange({ ...step, variable })}
      />
      <FlowTextField
        label={words.valueField}
        limit={2000}
        variables={panel.variables}
        value={step.value}
        onChange={(value) => onChange({ ...step, value })}
      />
    </>
  )
}

export function SetFieldFields({ step, panel, onChange }: FieldsProps<'setField'>) {
  const words = useTexts(stepPanelTexts)
  return (
    <>
      <TextInput
        label={words.field}
        description={words.fieldHelp}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        maxLength={100}
        value={step.field}
        error={step.field.trim() === '' ? words.required : undefined}
        onChange={({ currentTarget: { value } }) => onChange({ ...step, field: value })}
      />
      <FlowTextField
        label={words.valueField}
        limit={2000}
        variables={panel.variables}
        value={step.value}
        onChange={(value) => onChange({ ...step, value })}
      />
    </>
  )
}

export function NoteFields({ step, panel, onChange }: FieldsProps<'note'>) {
  const words = useTexts(stepPanelTexts)
  const { sentences } = panel
  return (
    <>
      <FlowTextField
        label={words.note}
        limit={2000}
        isRequired
        variables={panel.variables}
        value={step.text}
        onChange={(text) => onChange({ ...step, text })}
      />
      <Labelled label={words.mentions}>
        <EntitiesToken
          label={words.mentions}
          text={
            step.mentions.length > 0 ? namesOf('user', step.mentions, sentences, sentences.words.and) : words.nobody
          }
          entity="user"
          ids={step.mentions}
          onChange={(mentions) => onChange({ ...step, mentions: mentions.slice(0, maxMentions) })}
        />
      </Labelled>
    </>
  )
}
const maxMentions = 20

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={`${classes.item} ${classes.sentence}`}>
    <span>{label}</span>
    {children}
  </div>
)

export function SnoozeNoteField({ step, panel, onChange }: FieldsProps<'snooze'>) {
  const words = useTexts(stepPanelTexts)
  return (
    <FlowTextField
      label={words.snoozeNote}
      limit={200}
      rows={1}
      variables={panel.variables}
      value={step.note}
      onChange={(note) => onChange({ ...step, note })}
    />
  )
}

export function PersonTextField({ step, panel, onChange }: FieldsProps<'person'>) {
  const words = useTexts(stepPanelTexts)
  return (
    <FlowTextField
      label={words.text}
      help={words.textHelp}
      limit={4096}
      variables={panel.variables}
      value={step.text}
      onChange={(text) => onChange({ ...step, text })}
    />
  )
}
