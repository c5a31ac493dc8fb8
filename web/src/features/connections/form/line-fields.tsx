import type { Connection } from '@recado/contract/connections'
import type { Queue } from '@recado/contract/queues'
import { useTexts } from '../../../lib/texts.ts'
import { MessageField } from '../../../parts/message-field.tsx'
import type { Field, Slot } from '../../../records/fields/field.ts'
import { optionsOf } from '../../../ui/options.ts'
import { CloudFields } from './cloud-fields.tsx'
import { formTexts } from './form-texts.ts'
import type { Values } from './line-values.ts'
import { PaceField } from './pace-field.tsx'
import { ProviderField } from './provider-field.tsx'
import { messageLimit, timerFields } from './timer-fields.ts'
import { TokenField } from './token-field.tsx'

type Form = Slot<Values>['form']

/** A field of several inputs: what was wrong in it is looked at again when it is saved. */
function change<K extends 'cloud' | 'pacing'>(form: Form, name: K, value: Values[K]): void {
  for (const path of Object.keys(form.errors)) if (path.startsWith(`${name}.`)) form.clearFieldError(path)
  form.setFieldValue(name, value as never)
}

export function useFields(row: Connection | null, queues: Queue[]): Field<Values>[] {
  const words = useTexts(formTexts)
  const choices = optionsOf(queues)
  const message = (name: keyof Values & string, label: string, help: string, tab: string): Field<Values> => ({
    kind: 'custom',
    name,
    label,
    tab,
    render: ({ form, error }) => (
      <MessageField
        label={label}
        help={help}
        error={error}
        limit={messageLimit}
        rows={3}
        value={String(form.values[name])}
        onChange={(text) => form.setFieldValue(name, text as never)}
      />
    ),
  })
  return [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 50, tab: 'general' },
    {
      kind: 'custom',
      name: 'provider',
      label: words.provider,
      tab: 'general',
      render: ({ form }) => (
        <ProviderField value={form.values.provider} onChange={(provider) => form.setFieldValue('provider', provider)} />
      ),
    },
    {
      kind: 'custom',
      name: 'cloud',
      label: words.tabs.cloud,
      tab: 'cloud',
      render: ({ form }) => (
        <CloudFields
          values={form.values.cloud}
          stored={row?.cloud ?? null}
          errors={form.errors}
          onChange={(cloud) => change(form, 'cloud', cloud)}
        />
      ),
    },
    {
      kind: 'custom',
      name: 'pacing',
      label: words.tabs.pace,
      tab: 'pace',
      render: ({ form }) => (
        <PaceField
          values={form.values.pacing}
          now={row?.pacing ?? null}
          errors={form.errors}
          onChange={(pacing) => change(form, 'pacing', pacing)}
        />
      ),
    },
    {
      kind: 'multi-select',
      name: 'queueIds',
      label: words.queues,
      help: queues.length === 0 ? words.queuesNone : words.queuesHelp,
      options: choices,
      placeholder: words.pickQueues,
      tab: 'general',
    },
    {
      kind: 'switch',
      name: 'isDefault',
      label: words.isDefault,
      help: row?.isDefault ? words.staysDefault : words.isDefaultHelp,
      tab: 'general',
    },
    {
      kind: 'custom',
      name: 'token',
      label: words.token,
      tab: 'general',
      render: ({ form, error }) => (
        <TokenField
          value={form.values.token}
          stored={row?.token ?? ''}
          error={error}
          onChange={(token) => form.setFieldValue('token', token)}
        />
      ),
    },
    message('greetingMessage', words.greeting, words.greetingHelp, 'messages'),
    message('complationMessage', words.complation, words.complationHelp, 'messages'),
    message('outOfHoursMessage', words.outOfHours, words.outOfHoursHelp, 'messages'),
    message('ratingMessage', words.rating, words.ratingHelp, 'messages'),
    ...timerFields(words, choices),
  ]
}
