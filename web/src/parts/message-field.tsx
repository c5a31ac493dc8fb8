import { Input, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './message-field.module.css'
import { useVariableText } from './use-variable-text.ts'
import { variableLabel, variableTexts } from './variable-names.ts'

const texts = defineTexts({
  es: { insert: 'Datos que se completan al enviar' },
  pt: { insert: 'Dados que são preenchidos no envio' },
  en: { insert: 'Filled in when sent' },
})

/** Variables the server fills in (wire, enumerations). */
const variables = ['firstName', 'name', 'ms', 'protocol', 'hora'] as const
/** Only available when there is an agent or a queue. */
export type ExtraVariable = 'user' | 'queue'

type Props = {
  label: string
  value: string
  onChange: (text: string) => void
  error?: ReactNode
  help?: ReactNode
  limit: number
  rows?: number
  placeholder?: string
  extraVariables?: readonly ExtraVariable[]
  /** Variables that replace the usual ones: the inserted text and its label. */
  ownVariables?: readonly { text: string; label: string }[]
  readOnly?: boolean
  /** Whether the text has the focus when its dialog opens, instead of the dialog's first field. */
  isFocusedFirst?: boolean
}

/** A field for a message to a customer: the text with its length, and variables as chips inserted at the cursor. */
export function MessageField({ label, value, onChange, error, help, limit, rows = 4, placeholder, ...rest }: Props) {
  const { extraVariables = [], ownVariables, readOnly = false, isFocusedFirst } = rest
  const words = useTexts(texts)
  const id = useId()
  const names = useTexts(variableTexts)
  const chips =
    ownVariables ?? [...extraVariables, ...variables].map((one) => ({ text: variableLabel(one), label: names[one] }))
  // The usual variables are stored as codes and shown by their names; a campaign's own are words already.
  const { area, shown, show, type, insert } = useVariableText(value, onChange, ownVariables !== undefined)
  return (
    <div>
      <div className={classes.head}>
        <Input.Label htmlFor={id}>{label}</Input.Label>
        <span className={classes.length} data-over={value.length > limit || undefined}>
          {value.length} / {limit}
        </span>
      </div>
      <Textarea
        id={id}
        ref={area}
        value={shown}
        placeholder={placeholder && show(placeholder)}
        readOnly={readOnly}
        error={error}
        description={help}
        inputWrapperOrder={['input', 'error', 'description']}
        minRows={rows}
        maxRows={12}
        onChange={type}
        data-autofocus={isFocusedFirst || undefined}
      />
      {!readOnly && (
        <fieldset className={classes.variables}>
          <legend className={classes.legend}>{words.insert}</legend>
          {chips.map(({ text, label: name }) => (
            <button key={text} type="button" className={classes.chip} onClick={() => insert(text)}>
              <IconPlus size={12} stroke={2.25} aria-hidden="true" />
              {name}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
