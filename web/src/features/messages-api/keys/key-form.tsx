import { Input } from '@mantine/core'
import { type ApiKey, ApiKeyWrite, apiKeysApi } from '@recado/contract/api-access/api-keys'
import { type KeyScope, keyScopes } from '@recado/contract/endpoint'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useLines } from '../../../parts/line/use-lines.ts'
import type { FieldProblemDetail } from '../../../records/field-problems.ts'
import type { FieldSlot, FormField } from '../../../records/fields/field.ts'
import { RecordForm } from '../../../records/record-form.tsx'
import { toSelectOptions } from '../../../ui/select-options.ts'
import { FieldError } from '../../../ui/text-field.tsx'
import classes from '../keys-tab.module.css'
import { calculateExpiresAt, type KeyLifetime, keyLifetimes } from './key-expiry.ts'
import type { CreatedKey } from './key-source.ts'
import { keyTexts } from './texts.ts'

type Values = {
  name: string
  scopes: KeyScope[]
  whatsappIds: string[]
  lasts: KeyLifetime
  until: string | null
}
const initialValues: Values = { name: '', scopes: ['send', 'messages'], whatsappIds: [], lasts: 'never', until: null }

function findExpiryProblems({ lasts, until }: Values): Record<string, FieldProblemDetail> {
  if (lasts !== 'date') return {}
  if (!until) return { until: { kind: 'Required' } }
  return Date.parse(calculateExpiresAt('date', until, 0) ?? '') <= Date.now() ? { until: { kind: 'In the past' } } : {}
}

type Props = { opened: boolean; onClose: () => void; onCreated: (made: CreatedKey) => void }

export function KeyForm({ opened, onClose, onCreated }: Props) {
  const words = useTexts(keyTexts)
  const lines = useLines()
  const fields: FormField<Values>[] = [
    { kind: 'text', name: 'name', label: words.name, help: words.nameHelp, required: true, maxLength: 50 },
    { kind: 'custom', name: 'scopes', label: words.scopes, render: (slot) => <ScopesField {...slot} /> },
    {
      kind: 'multi-select',
      name: 'whatsappIds',
      label: words.lines,
      help: words.linesHelp,
      placeholder: words.everyLine,
      options: toSelectOptions(lines.data ?? []),
    },
    {
      kind: 'select',
      name: 'lasts',
      label: words.lasts,
      span: 'half',
      options: keyLifetimes.map((value) => ({ value, label: words.spans[value] })),
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
      initial={initialValues}
      fields={fields}
      check={findExpiryProblems}
      write={({ lasts, until, ...body }) =>
        callApi(apiKeysApi.create, { body: { ...body, expiresAt: calculateExpiresAt(lasts, until, Date.now()) } })
      }
      onSaved={(made) => onCreated(made as CreatedKey)}
    />
  )
}

/** Each scope with a sentence that explains it. */
function ScopesField({ form, error }: FieldSlot<Values>) {
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
