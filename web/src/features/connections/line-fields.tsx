import type { Connection, Provider } from '@recado/contract/connections'
import type { Queue } from '@recado/contract/queues'
import { useTexts } from '../../lib/texts.ts'
import { MessageField } from '../../parts/message-field.tsx'
import type { Field } from '../../records/fields/field.ts'
import { formTexts } from './form-texts.ts'
import { TokenField } from './token-field.tsx'

type Minutes = number | ''
export type Values = {
  name: string
  provider: Provider
  isDefault: boolean
  queueIds: string[]
  token: string
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
  provider: row?.provider ?? 'sandbox',
  isDefault: row?.isDefault ?? false,
  queueIds: row?.queues.map(({ id }) => String(id)) ?? [],
  token: row?.token ?? '',
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

export function useFields(row: Connection | null, queues: Queue[]): Field<Values>[] {
  const words = useTexts(formTexts)
  const choices = queues.map(({ id, name }) => ({ value: String(id), label: name }))
  // Only what works today is offered; a line that is something else stays it.
  const kinds = [...new Set<Provider>(['sandbox', row?.provider ?? 'sandbox'])]
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
      kind: 'select',
      name: 'provider',
      label: words.provider,
      ...(kinds.length === 1 && { help: words.providerHelp }),
      options: kinds.map((value) => ({ value, label: words.providers[value] })),
      tab: 'general',
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
