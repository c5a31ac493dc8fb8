import { Autocomplete, Checkbox, NumberInput, Select, TextInput, type TextInputProps } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import classes from './panel.module.css'
import { stepPanelTexts } from './texts.ts'
import { toVariableName } from './variables-before.ts'

type ValidInputProps = Omit<TextInputProps, 'value' | 'onChange' | 'error'> & {
  value: string
  /** The problem of what was typed. Such text is not taken over, and is gone after leaving the field. */
  problemOf: (text: string) => string | null
  onChange: (text: string) => void
}

/** A text that must always be valid where it is stored. */
export function ValidInput({ value, problemOf, onChange, ...more }: ValidInputProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? value
  return (
    <TextInput
      {...more}
      value={shown}
      error={typed === null ? undefined : problemOf(typed)}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(next)
        if (problemOf(next) === null) onChange(next.trim())
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

type WholeNumberProps = {
  label: string
  value: number
  min: number
  max: number
  hidesLabel?: boolean
  help?: string
  className?: string | undefined
  suffix?: string
  onChange: (value: number) => void
}
/** A whole number within its limits. */
export const WholeNumberInput = ({ label, value, min, max, hidesLabel, help, onChange, ...more }: WholeNumberProps) => (
  <NumberInput
    {...(hidesLabel ? { 'aria-label': label } : { label })}
    {...more}
    description={help}
    inputWrapperOrder={['label', 'input', 'error', 'description']}
    min={min}
    max={max}
    allowDecimal={false}
    value={value}
    onChange={(next) => typeof next === 'number' && next >= min && next <= max && onChange(next)}
  />
)

const unitMinutes = { min: 1, h: 60, d: 1440 } as const
type Unit = keyof typeof unitMinutes
const units = Object.keys(unitMinutes) as Unit[]
const maxMinutes = 525_600

const unitOf = (minutes: number): Unit => (minutes % 1440 === 0 ? 'd' : minutes % 60 === 0 ? 'h' : 'min')

type DurationProps = { label: string; minutes: number; onChange: (minutes: number) => void }
/** Up to a year, in minutes, hours or days. */
export function DurationField({ label, minutes, onChange }: DurationProps) {
  const words = useTexts(stepPanelTexts)
  const [unit, setUnit] = useState(() => unitOf(minutes))
  // Changed from outside, such as by undoing.
  const shown = minutes % unitMinutes[unit] === 0 ? unit : unitOf(minutes)
  const each = unitMinutes[shown]
  return (
    <div className={classes.row}>
      <WholeNumberInput
        label={label}
        className={classes.small}
        min={1}
        max={Math.floor(maxMinutes / each)}
        value={minutes / each}
        onChange={(value) => onChange(value * each)}
      />
      <Select
        className={classes.wide ?? ''}
        aria-label={words.unit}
        data={units.map((value) => ({ value, label: words.units[value] }))}
        allowDeselect={false}
        value={shown}
        onChange={(value) => {
          const next = value as Unit
          setUnit(next)
          onChange(Math.min((minutes / each) * unitMinutes[next], maxMinutes))
        }}
      />
    </div>
  )
}

type VariableProps = {
  label: string
  value: string | null
  /** Offered names. */
  variables: string[]
  hidesLabel?: boolean
  help?: string
  isRequired?: boolean
  onChange: (name: string | null) => void
}
/** The variable that a value is kept in: a known one, or a new name. */
export function VariableField({ label, value, variables, hidesLabel, help, isRequired, onChange }: VariableProps) {
  const words = useTexts(stepPanelTexts)
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? value ?? ''
  const isBad = shown.trim() !== '' && toVariableName(shown) === '' && shown !== value
  const isMissing = isRequired === true && shown.trim() === ''
  return (
    <Autocomplete
      {...(hidesLabel ? { 'aria-label': label, placeholder: label } : { label })}
      description={help}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      data={variables}
      maxLength={60}
      value={shown}
      error={isBad ? words.badName : isMissing ? words.required : undefined}
      onChange={(next) => {
        setTyped(next)
        if (next.trim() === '') onChange(null)
        else if (variables.includes(next)) onChange(next)
        else if (toVariableName(next) !== '') onChange(toVariableName(next))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

type CheckProps = { label: string; isOn: boolean; onChange: (isOn: boolean) => void }
export const CheckField = ({ label, isOn, onChange }: CheckProps) => (
  <Checkbox label={label} checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
)

type RemoveProps = { name: string; disabled?: boolean; onClick: () => void }
export function RemoveButton({ name, disabled, onClick }: RemoveProps) {
  const { removeOne } = useTexts(stepPanelTexts)
  return (
    <button type="button" className={classes.icon} aria-label={removeOne(name)} disabled={disabled} onClick={onClick}>
      <IconX size={16} stroke={1.75} aria-hidden="true" />
    </button>
  )
}

type AddProps = { disabled?: boolean; onClick: () => void; children: ReactNode }
export const AddButton = ({ disabled, onClick, children }: AddProps) => (
  <button type="button" className={classes.variables} disabled={disabled} onClick={onClick}>
    <IconPlus size={14} stroke={2} aria-hidden="true" />
    {children}
  </button>
)

type GroupProps = { label: string; help?: string; children: ReactNode }
/** Fields that belong together. */
export const FieldGroup = ({ label, help, children }: GroupProps) => (
  <fieldset className={classes.group}>
    <legend className={classes.legend}>{label}</legend>
    {children}
    {help && <p className={classes.help}>{help}</p>}
  </fieldset>
)
