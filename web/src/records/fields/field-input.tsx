import { MultiSelect, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { type ComponentProps, lazy, Suspense } from 'react'
import { moneyInputProps } from '../../lib/money/format-money.ts'
import { useTexts } from '../../lib/texts.ts'
import { SecretInput } from '../../ui/secret-input.tsx'
import { FieldError } from '../../ui/text-field.tsx'
import { recordTexts } from '../texts.ts'
import { ColorField } from './color-field.tsx'
import type { FieldSlot, FileValue, FormField, FormValues } from './field.ts'
import classes from './fields.module.css'
import { FileField } from './file-field.tsx'

// Loaded on demand: the calendar is large, and few forms have a date.
const DateField = lazy(() => import('./date-field.tsx').then(({ DateField }) => ({ default: DateField })))

type Props<V extends FormValues> = {
  field: FormField<V>
  form: FieldSlot<V>['form']
  progress: FieldSlot<V>['progress']
  isFirst: boolean
}

/** Renders a field of a form by its kind. */
export function FieldInput<V extends FormValues>({ field, form, progress, isFirst }: Props<V>) {
  const words = useTexts(recordTexts)
  const { error: text, ...props } = form.getInputProps(field.name)
  // A dialog opens with the focus in its first field, except on a phone, where the keyboard would cover the dialog.
  const bound = { ...props, ...(isFirst && { 'data-autofocus': true }) }
  const error = text && <FieldError>{text}</FieldError>
  const common = { label: field.label, description: field.help, withAsterisk: field.required, error, inputWrapperOrder }
  switch (field.kind) {
    case 'text':
      return <TextInput {...common} {...bound} {...plain(field)} leftSection={field.prefix} />
    case 'email':
      return <TextInput {...common} {...bound} {...plain(field)} type="email" inputMode="email" />
    case 'password':
      return (
        <>
          <SecretInput {...common} {...bound} placeholder={field.placeholder} {...passwordEye(words, field.current)} />
          {field.below?.(String(bound.value ?? ''))}
        </>
      )
    case 'textarea':
      return <Textarea {...common} {...bound} {...longText(field, String(bound.value ?? ''))} />
    case 'number':
      return <NumberInput {...common} {...bound} min={field.min ?? 0} max={field.max} allowDecimal={false} size="sm" />
    case 'money':
      return <NumberInput {...common} {...bound} {...moneyInputProps(field.currency(form.values))} size="sm" />
    case 'switch':
      return <SwitchField {...common} {...form.getInputProps(field.name, { type: 'checkbox' })} error={error} />
    case 'select': {
      const value = bound.value === null || bound.value === undefined ? null : String(bound.value)
      const picked = { data: field.options, placeholder: field.placeholder, clearable: field.clearable ?? false }
      const rest = { ...picked, ...selectProps(words, field.options.length), allowDeselect: false, value }
      return <Select {...common} {...bound} {...rest} />
    }
    case 'multi-select':
      return (
        <MultiSelect
          {...common}
          {...bound}
          data={field.options}
          {...selectProps(words, 99)}
          placeholder={field.placeholder}
        />
      )
    case 'color':
      return <ColorField {...common} value={String(bound.value ?? '')} onChange={bound.onChange} />
    case 'file': {
      const { accept, accepted, limit } = field
      const value = bound.value as FileValue
      const share = progress[field.name]
      return (
        <FileField
          {...common}
          {...{ accept, accepted, limit, value, uploadedShare: share }}
          onChange={bound.onChange}
        />
      )
    }
    case 'date':
      return (
        <Suspense fallback={<TextInput {...common} disabled />}>
          <DateField {...common} value={bound.value as string | null} onChange={bound.onChange} />
        </Suspense>
      )
    case 'custom':
      return field.render({ form, name: field.name, error, progress })
  }
}

/** Props that make the eye button reachable by keyboard: Mantine keeps it out of the tab order. */
const passwordEye = (words: { showPassword: string }, current = false) => ({
  autoComplete: current ? 'current-password' : 'new-password',
  visibilityToggleButtonProps: { tabIndex: 0, 'aria-label': words.showPassword },
})

/** Help and error are both below the input. */
const inputWrapperOrder: ComponentProps<typeof TextInput>['inputWrapperOrder'] = [
  'label',
  'input',
  'error',
  'description',
]

const plain = (field: { placeholder?: string; maxLength?: number }) => ({
  placeholder: field.placeholder,
  maxLength: field.maxLength,
  autoComplete: 'off',
})

function longText(field: { placeholder?: string; rows?: number; limit?: number }, value: string) {
  const { limit } = field
  return {
    placeholder: field.placeholder,
    minRows: field.rows ?? 3,
    maxRows: 10,
    ...(limit && value.length > limit * 0.8 && { rightSection: <CharactersLeft n={limit - value.length} /> }),
  }
}

const CharactersLeft = ({ n }: { n: number }) => <span className={classes.left}>{n}</span>

const selectProps = (words: { nothingToPick: string }, many: number) => ({
  searchable: many > 6,
  nothingFoundMessage: words.nothingToPick,
  comboboxProps: { shadow: 'lg' },
})

type SwitchProps = ComponentProps<typeof Switch> & { inputWrapperOrder?: unknown; withAsterisk?: unknown }
function SwitchField({ inputWrapperOrder: _, withAsterisk: __, ...props }: SwitchProps) {
  return <Switch {...props} className={classes.switch ?? ''} />
}
