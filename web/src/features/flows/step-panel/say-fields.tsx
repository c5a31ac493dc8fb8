import { SegmentedControl } from '@mantine/core'
import type { SayStep } from '@recado/contract/flows/flow-steps'
import { useTexts } from '../../../lib/texts.ts'
import { TemplateToken } from '../rules/editor/template-token.tsx'
import { slotsOfStep } from '../sentence/describe-step.ts'
import { FileSelect } from './file-select.tsx'
import { FlowTextField } from './flow-text-field.tsx'
import { OptionList } from './option-list.tsx'
import classes from './panel.module.css'
import type { FieldsProps } from './panel-context.ts'
import { stepPanelTexts } from './texts.ts'
import { FieldGroup, ValidInput } from './value-fields.tsx'

const choiceKinds = ['none', 'buttons', 'list'] as const
type ChoiceKind = (typeof choiceKinds)[number]
const maxButtons = 3
const maxRows = 10

const choiceKindOf = ({ buttons, list }: SayStep): ChoiceKind =>
  list ? 'list' : buttons.length > 0 ? 'buttons' : 'none'

export function SayFields({ step, panel, onChange }: FieldsProps<'say'>) {
  const words = useTexts(stepPanelTexts)
  const isEmpty = step.text.trim() === '' && step.fileId === null && step.template === null
  const { template } = slotsOfStep(step, panel.sentences)
  return (
    <>
      <FlowTextField
        label={words.message}
        limit={4096}
        rows={3}
        variables={panel.variables}
        value={step.text}
        error={isEmpty ? words.required : undefined}
        onChange={(text) => onChange({ ...step, text })}
      />
      <FileSelect fileId={step.fileId} onChange={(fileId) => onChange({ ...step, fileId })} />
      <ChoiceFields step={step} onChange={onChange} />
      <TemplateToken
        step={step}
        text={template?.text ?? ''}
        lead={<span className={classes.help}>{words.template}</span>}
        onChange={onChange}
      />
    </>
  )
}

type ChoiceProps = { step: SayStep; onChange: (step: SayStep) => void }
function ChoiceFields({ step, onChange }: ChoiceProps) {
  const words = useTexts(stepPanelTexts)
  const { buttons, list } = step
  const choose = (kind: ChoiceKind) => {
    const first = { id: 'o1', title: words.option(1) }
    onChange({
      ...step,
      buttons: kind === 'buttons' ? [first] : [],
      list: kind === 'list' ? { button: words.listOpen, rows: [{ ...first, description: '' }] } : null,
    })
  }
  const kind = choiceKindOf(step)
  return (
    <FieldGroup label={words.choices} {...(kind !== 'none' && { help: words.choicesHelp })}>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={words.choices}
        data={choiceKinds.map((value) => ({ value, label: words.choiceKinds[value] }))}
        value={kind}
        onChange={(value) => choose(value as ChoiceKind)}
      />
      {kind === 'buttons' && (
        <OptionList
          options={buttons}
          max={maxButtons}
          maxTitle={20}
          nameOf={words.button}
          addLabel={words.addButton}
          create={(id, title) => ({ id, title })}
          canBeEmpty
          onChange={(next) => onChange({ ...step, buttons: next })}
        />
      )}
      {list && (
        <>
          <ValidInput
            label={words.listButton}
            maxLength={20}
            value={list.button}
            problemOf={(text) => (text.trim() === '' ? words.required : null)}
            onChange={(button) => onChange({ ...step, list: { ...list, button } })}
          />
          <OptionList
            options={list.rows}
            max={maxRows}
            maxTitle={24}
            nameOf={words.row}
            addLabel={words.addRow}
            create={(id, title) => ({ id, title, description: '' })}
            descriptionOf={words.rowAbout}
            onChange={(rows) => onChange({ ...step, list: { ...list, rows } })}
          />
        </>
      )}
    </FieldGroup>
  )
}
