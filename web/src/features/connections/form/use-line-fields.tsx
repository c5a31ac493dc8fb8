import { MultiSelect } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import type { Queue } from '@recado/contract/queues'
import { useTexts } from '../../../lib/texts.ts'
import {
  type AiOrIntegration,
  AiOrIntegrationPicker,
  useAiAndIntegrationsInPlan,
} from '../../../parts/integrations/ai-or-integration-picker.tsx'
import { MessageField } from '../../../parts/message-field.tsx'
import type { FieldSlot, FormField } from '../../../records/fields/field.ts'
import { filterSelectOptions, toSelectOptions } from '../../../ui/select-options.ts'
import { CloudAccountFields } from './cloud-account-fields.tsx'
import { lineFormTexts } from './line-form-texts.ts'
import type { LineFormValues } from './line-form-values.ts'
import { PaceField } from './pace-field.tsx'
import { ProviderField } from './provider-field.tsx'
import { createTimerFields, maxLineMessageLength } from './timer-fields.ts'
import { TokenField } from './token-field.tsx'

type LineFormState = FieldSlot<LineFormValues>['form']

/** Sets a field with several inputs; its errors are checked again on save. */
function setGroupValue<K extends 'cloud' | 'pacing'>(form: LineFormState, name: K, value: LineFormValues[K]): void {
  for (const path of Object.keys(form.errors)) if (path.startsWith(`${name}.`)) form.clearFieldError(path)
  form.setFieldValue(name, value as never)
}

const clearFields = (form: LineFormState, names: ('promptId' | 'integrationId')[]) => {
  for (const name of names) form.setFieldValue(name, null)
}

/** A line has either queues or its own integration: choosing one clears the other. */
const aiOrIntegrationField = (
  kind: AiOrIntegration,
  words: LineFormTexts,
  has: Record<AiOrIntegration, boolean>,
): FormField<LineFormValues> => ({
  kind: 'custom',
  name: `${kind}Id`,
  label: words.machineHelp,
  tab: 'general',
  when: () => has[kind],
  ...(has.prompt && has.integration && { span: 'half' as const }),
  render: ({ form }) => (
    <AiOrIntegrationPicker
      kind={kind}
      value={form.values[`${kind}Id`]}
      help={words.machineHelp}
      onChange={(id) => {
        form.setFieldValue(`${kind}Id`, id)
        if (id === null) return
        clearFields(form, [kind === 'prompt' ? 'integrationId' : 'promptId'])
        form.setFieldValue('queueIds', [])
      }}
    />
  ),
})
type LineFormTexts = (typeof lineFormTexts)['es']

export function useLineFields(
  row: Connection | null,
  queues: Queue[],
  onSignup: (name: string) => void,
): FormField<LineFormValues>[] {
  const words = useTexts(lineFormTexts)
  const choices = toSelectOptions(queues)
  const has = useAiAndIntegrationsInPlan()
  const message = (
    name: keyof LineFormValues & string,
    label: string,
    help: string,
    tab: string,
  ): FormField<LineFormValues> => ({
    kind: 'custom',
    name,
    label,
    tab,
    render: ({ form, error }) => (
      <MessageField
        label={label}
        help={help}
        error={error}
        limit={maxLineMessageLength}
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
        <CloudAccountFields
          values={form.values.cloud}
          storedAccount={row?.cloud ?? null}
          errors={form.errors}
          onChange={(cloud) => setGroupValue(form, 'cloud', cloud)}
          onSignup={() => onSignup(form.values.name)}
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
          pacing={row?.pacing ?? null}
          lockedUntil={row?.lockedUntil ?? null}
          errors={form.errors}
          onChange={(pacing) => setGroupValue(form, 'pacing', pacing)}
        />
      ),
    },
    {
      kind: 'custom',
      name: 'queueIds',
      label: words.queues,
      tab: 'general',
      render: ({ form, error }) => (
        <MultiSelect
          label={words.queues}
          description={queues.length === 0 ? words.queuesNone : words.queuesHelp}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder={words.pickQueues}
          data={choices}
          filter={filterSelectOptions}
          searchable
          comboboxProps={{ shadow: 'lg' }}
          {...form.getInputProps('queueIds')}
          error={error}
          onChange={(queueIds) => {
            form.clearFieldError('queueIds')
            form.setFieldValue('queueIds', queueIds)
            if (queueIds.length > 0) clearFields(form, ['promptId', 'integrationId'])
          }}
        />
      ),
    },
    aiOrIntegrationField('prompt', words, has),
    aiOrIntegrationField('integration', words, has),
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
          storedToken={row?.token ?? ''}
          error={error}
          onChange={(token) => form.setFieldValue('token', token)}
        />
      ),
    },
    message('greetingMessage', words.greeting, words.greetingHelp, 'messages'),
    message('complationMessage', words.complation, words.complationHelp, 'messages'),
    message('outOfHoursMessage', words.outOfHours, words.outOfHoursHelp, 'messages'),
    message('ratingMessage', words.rating, words.ratingHelp, 'messages'),
    ...createTimerFields(words, choices),
  ]
}
