import { Input } from '@mantine/core'
import { type ApiKey, ApiKeyWrite, keysApi } from '@recado/contract/doors/keys'
import { type KeyScope, keyScopes } from '@recado/contract/kit'
import { call } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useLines } from '../../../parts/line/use-lines.ts'
import type { Field, Slot } from '../../../records/fields/field.ts'
import type { Problem } from '../../../records/problems.ts'
import { RecordForm } from '../../../records/record-form.tsx'
import { optionsOf } from '../../../ui/options.ts'
import { FieldError } from '../../../ui/text-field.tsx'
import classes from '../keys-tab.module.css'
import { endOf, type Span, spans } from './expiry.ts'
import type { MadeKey } from './source.ts'
import { keyTexts } from './texts.ts'

type Values = {
  name: string
  scopes: KeyScope[]
  whatsappIds: string[]
  lasts: Span
  until: string | null
}
const initial: Values = { name: '', scopes: ['send', 'messages'], whatsappIds: [], lasts: 'never', until: null }

function problemsIn({ lasts, until }: Values): Record<string, Problem> {
  if (lasts !== 'date') return {}
  if (!until) return { until: { kind: 'Required' } }
  return Date.parse(endOf('date', until, 0) ?? '') <= Date.now() ? { until: { kind: 'In the past' } } : {}
}

type Props = { opened: boolean; onClose: () => void; onMade: (made: MadeKey) => void }

export function KeyForm({ opened, onClose, onMade }: Props) {
  const words = useTexts(keyTexts)
  const lines = useLines()
  const fields: Field<Values>[] = [
    { kind: 'text', name: 'name', label: words.name, help: words.nameHelp, required: true, maxLength: 50 },
    { kind: 'custom', name: 'scopes', label: words.scopes, render: (slot) => <Scopes {...slot} /> },
    {
      kind: 'multi-select',
      name: 'whatsappIds',
      label: words.lines,
      help: words.linesHelp,
      placeholder: words.everyLine,
      options: optionsOf(lines.data ?? []),
    },
    {
      kind: 'select',
      name: 'lasts',
      label: words.lasts,
      span: 'half',
      options: spans.map((value) => ({ value, label: words.spans[value] })),
    },
    {
      kind: 'date',
      name: 'until',
      label: words.until,
      span: 'half',
      required: true,
      when: ({ lasts }) => lasts === 'date',
    },
  ]
  return (
    <RecordForm<Values, ApiKey>
      row={null}
      opened={opened}
      onClose={onClose}
      title={words.create}
      words={words.words}
      schema={ApiKeyWrite}
      initial={initial}
      fields={fields}
      check={problemsIn}
      write={({ lasts, until, ...body }) =>
        call(keysApi.create, { body: { ...body, expiresAt: endOf(lasts, until, Date.now()) } })
      }
      onSaved={(made) => onMade(made as MadeKey)}
    />
  )
}

/** Each with the sentence that says what it opens. */
function Scopes({ form, error }: Slot<Values>) {
  const words = useTexts(keyTexts)
  const { scopes } = form.values
  const toggle = (scope: KeyScope, on: boolean) => {
    form.clearFieldError('scopes')
    form.setFieldValue(
      'scopes',
      keyScopes.filter((one) => (one === scope ? on : scopes.includes(one))),
    )
  }
  return (
    <fieldset className={classes.set}>
      <Input.Label component="legend" required>
        {words.scopes}
      </Input.Label>
      {keyScopes.map((scope) => (
        <label key={scope} className={classes.check}>
          <input
            type="checkbox"
            checked={scopes.includes(scope)}
            onChange={(event) => toggle(scope, event.currentTarget.checked)}
          />
          <span>
            <b>{words.scope[scope].name}</b>
            <small>{words.scope[scope].line}</small>
          </span>
        </label>
      ))}
      {error && (
        <Input.Error>
          <FieldError>{words.noScope}</FieldError>
        </Input.Error>
      )}
    </fieldset>
  )
}
