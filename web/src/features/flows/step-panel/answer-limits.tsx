import { Chip, Group, NativeSelect, NumberInput } from '@mantine/core'
import { type AskedAnswer, askedFileKinds } from '@recado/contract/flows/flow-steps'
import { taxIdKinds } from '@recado/contract/flows/tax-ids'
import { useTexts } from '../../../lib/texts.ts'
import { OptionList } from './option-list.tsx'
import classes from './panel.module.css'
import { stepPanelTexts } from './texts.ts'
import { CheckField, FieldGroup } from './value-fields.tsx'

const maxOptions = 10

type Props = { answer: AskedAnswer; onChange: (answer: AskedAnswer) => void }

/** What an answer must be, beyond its kind. */
export function AnswerLimits({ answer, onChange }: Props) {
  const words = useTexts(stepPanelTexts)
  switch (answer.kind) {
    case 'number':
      return <NumberLimits answer={answer} onChange={onChange} />
    case 'date':
      return (
        <NativeSelect
          aria-label={words.answers.date}
          data={(['any', 'past', 'future'] as const).map((value) => ({ value, label: words.dates[value] }))}
          value={answer.when}
          onChange={({ currentTarget: { value } }) => onChange({ ...answer, when: value as typeof answer.when })}
        />
      )
    case 'choice':
      return (
        <FieldGroup label={words.answers.choice} help={words.choicesHelp}>
          <OptionList
            options={answer.options}
            max={maxOptions}
            maxTitle={72}
            nameOf={words.option}
            addLabel={words.addOption}
            create={(id, title) => ({ id, title, next: null })}
            onChange={(options) => onChange({ ...answer, options })}
          />
        </FieldGroup>
      )
    case 'taxId':
      return (
        <KindChips
          label={words.answers.taxId}
          kinds={taxIdKinds}
          names={words.taxIds}
          chosen={answer.of}
          onChange={(of) => of.length > 0 && onChange({ ...answer, of })}
        />
      )
    case 'file':
      return (
        <KindChips
          label={words.answers.file}
          help={words.anyFile}
          kinds={askedFileKinds}
          names={words.files}
          chosen={answer.of}
          onChange={(of) => onChange({ ...answer, of })}
        />
      )
    default:
      return null
  }
}

type NumberAnswer = Extract<AskedAnswer, { kind: 'number' }>
function NumberLimits({ answer, onChange }: { answer: NumberAnswer; onChange: (answer: AskedAnswer) => void }) {
  const words = useTexts(stepPanelTexts)
  const { min, max, decimals } = answer
  const isWrong = min !== null && max !== null && min > max
  const limit = (key: 'min' | 'max', value: number | null) => (
    <NumberInput
      className={classes.wide ?? ''}
      label={words[key]}
      allowDecimal={decimals}
      hideControls
      min={-1e12}
      max={1e12}
      value={value ?? ''}
      error={isWrong && key === 'max' ? words.minOverMax : undefined}
      onChange={(next) => onChange({ ...answer, [key]: typeof next === 'number' ? next : null })}
    />
  )
  return (
    <>
      <div className={classes.row} data-top>
        {limit('min', min)}
        {limit('max', max)}
      </div>
      <CheckField label={words.decimals} isOn={decimals} onChange={(next) => onChange({ ...answer, decimals: next })} />
    </>
  )
}

type ChipsProps<Kind extends string> = {
  label: string
  help?: string
  kinds: readonly Kind[]
  names: Record<Kind, string>
  chosen: Kind[]
  onChange: (chosen: Kind[]) => void
}
/** Any of a few kinds; `help` says what none of them means. */
const KindChips = <Kind extends string>({ label, help, kinds, names, chosen, onChange }: ChipsProps<Kind>) => (
  <FieldGroup label={label} {...(help && chosen.length === 0 && { help })}>
    <Chip.Group multiple value={chosen} onChange={(next) => onChange(kinds.filter((kind) => next.includes(kind)))}>
      <Group gap={6}>
        {kinds.map((kind) => (
          <Chip key={kind} size="xs" value={kind}>
            {names[kind]}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  </FieldGroup>
)
