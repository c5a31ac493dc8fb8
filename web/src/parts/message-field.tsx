import { Input, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useId, useRef } from 'react'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './message-field.module.css'

const texts = defineTexts({
  es: {
    insert: 'Datos que se completan al enviar',
    firstName: 'Primer nombre',
    name: 'Nombre completo',
    ms: 'Saludo del momento',
    protocol: 'Protocolo',
    hora: 'Hora',
    user: 'Agente',
    queue: 'Cola',
  },
  pt: {
    insert: 'Dados que são preenchidos no envio',
    firstName: 'Primeiro nome',
    name: 'Nome completo',
    ms: 'Saudação do momento',
    protocol: 'Protocolo',
    hora: 'Hora',
    user: 'Agente',
    queue: 'Fila',
  },
  en: {
    insert: 'Filled in when sent',
    firstName: 'First name',
    name: 'Full name',
    ms: 'Good morning, evening…',
    protocol: 'Reference number',
    hora: 'Time',
    user: 'Agent',
    queue: 'Queue',
  },
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
}

/** A field for a message to a customer: the text with its length, and variables as chips inserted at the cursor. */
export function MessageField({ label, value, onChange, error, help, limit, rows = 4, placeholder, ...rest }: Props) {
  const { extraVariables = [], ownVariables, readOnly = false } = rest
  const words = useTexts(texts)
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const chips =
    ownVariables ?? [...extraVariables, ...variables].map((one) => ({ text: `{{${one}}}`, label: words[one] }))
  const insert = (text: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = area.current ?? {}
    onChange(value.slice(0, selectionStart) + text + value.slice(selectionEnd))
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(selectionStart + text.length, selectionStart + text.length)
    })
  }
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
        value={value}
        placeholder={placeholder}
        readOnly={readOnly}
        error={error}
        description={help}
        inputWrapperOrder={['input', 'error', 'description']}
        minRows={rows}
        maxRows={12}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {!readOnly && (
        <fieldset className={classes.variables}>
          <legend className={classes.legend}>{words.insert}</legend>
          {chips.map(({ text, label: name }) => (
            <button key={text} type="button" className={classes.chip} title={text} onClick={() => insert(text)}>
              <IconPlus size={12} stroke={2.25} aria-hidden="true" />
              {name}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
