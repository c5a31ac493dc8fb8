import type { Connection, Provider } from '@recado/contract/connections'
import type { Queue } from '@recado/contract/queues'
import { useTexts } from '../../lib/texts.ts'
import { MessageField } from '../../parts/message-field.tsx'
import type { Field, Slot } from '../../records/fields/field.ts'
import { CloudFields, type CloudValues } from './cloud-fields.tsx'
import { formTexts } from './form-texts.ts'
import { PaceField, type PaceValues, paceOf } from './pace-field.tsx'
import { ProviderField } from './provider-field.tsx'
import { TokenField } from './token-field.tsx'

type Minutes = number | ''
export type Values = {
  name: string
  provider: Provider
  isDefault: boolean
  queueIds: string[]
  token: string
  cloud: CloudValues
  pacing: PaceValues
  greetingMessage: string
  complationMessage: string
  outOfHoursMessage: string
  ratingMessage: string
  timeToTransfer: Minutes
  transferQueueId: string | null
  expiresTicket: Minutes
  expiresInactiveMessage: string
  timeUseBotQueues: Minutes
  maxUseBotQueues: Minutes
}

const messageLimit = 4096

export const valuesOf = (row: Connection | null): Values => ({
  name: row?.name ?? '',
  provider: row?.provider ?? 'beta',
  isDefault: row?.isDefault ?? false,
  queueIds: row?.queues.map(({ id }) => String(id)) ?? [],
  token: row?.token ?? '',
  cloud: {
    phoneNumberId: row?.cloud?.phoneNumberId ?? '',
    businessAccountId: row?.cloud?.businessAccountId ?? '',
    accessToken: '',
    appSecret: '',
    verifyToken: row?.cloud?.verifyToken ?? '',
  },
  pacing: paceOf(row?.pacing),
  greetingMessage: row?.greetingMessage ?? '',
  complationMessage: row?.complationMessage ?? '',
  outOfHoursMessage: row?.outOfHoursMessage ?? '',
  ratingMessage: row?.ratingMessage ?? '',
  timeToTransfer: row?.timeToTransfer ?? '',
  transferQueueId: row?.transferQueueId ? String(row.transferQueueId) : null,
  expiresTicket: row?.expiresTicket ?? 0,
  expiresInactiveMessage: row?.expiresInactiveMessage ?? '',
  timeUseBotQueues: row?.timeUseBotQueues ?? 0,
  maxUseBotQueues: row?.maxUseBotQueues ?? 3,
})

type Form = Slot<Values>['form']

/** A field of several inputs: what was wrong in it is looked at again when it is saved. */
function change<K extends 'cloud' | 'pacing'>(form: Form, name: K, value: Values[K]): void {
  for (const path of Object.keys(form.errors)) if (path.startsWith(`${name}.`)) form.clearFieldError(path)
  form.setFieldValue(name, value as never)
}

export function useFields(row: Connection | null, queues: Queue[]): Field<Values>[] {
  const words = useTexts(formTexts)
  const choices = queues.map(({ id, name }) => ({ value: String(id), label: name }))
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
    ...timers(words, choices),
  ]
}

function timers(words: (typeof formTexts)['es'], queues: { value: string; label: string }[]): Field<Values>[] {
  const half = { span: 'half', tab: 'times' } as const
  const most = 525_600
  return [
    {
      kind: 'number',
      name: 'timeToTransfer',
      label: words.timeToTransfer,
      help: words.timeToTransferHelp,
      max: most,
      ...half,
    },
    {
      kind: 'select',
      name: 'transferQueueId',
      label: words.transferQueue,
      help: words.transferQueueHelp,
      options: queues,
      placeholder: words.noQueue,
      clearable: true,
      ...half,
    },
    {
      kind: 'number',
      name: 'expiresTicket',
      label: words.expiresTicket,
      help: words.expiresTicketHelp,
      max: most,
      tab: 'times',
    },
    {
      kind: 'textarea',
      name: 'expiresInactiveMessage',
      label: words.expiresMessage,
      limit: messageLimit,
      tab: 'times',
    },
    {
      kind: 'number',
      name: 'timeUseBotQueues',
      label: words.timeUseBot,
      help: words.timeUseBotHelp,
      max: most,
      ...half,
    },
    { kind: 'number', name: 'maxUseBotQueues', label: words.maxUseBot, help: words.maxUseBotHelp, max: most, ...half },
  ]
}
