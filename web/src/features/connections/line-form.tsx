import { type Connection, ConnectionWrite, connectionsApi, type Provider } from '@recado/contract/connections'
import { type Queue, queuesApi } from '@recado/contract/queues'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { providerIcons } from '../../parts/line-icons.ts'
import { MessageField } from '../../parts/message-field.tsx'
import type { Field } from '../../records/fields/field.ts'
import type { Problem } from '../../records/problems.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import { formTexts } from './form-texts.ts'
import { texts } from './texts.ts'
import { TokenField } from './token-field.tsx'

type Minutes = number | ''
type Values = {
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

export function LineForm(slot: FormSlot<Connection>) {
  const { row } = slot
  const words = useTexts(texts)
  const { tabs } = useTexts(formTexts)
  const queues = useQuery({ queryKey: ['queues'], queryFn: () => call(queuesApi.list) })
  const fields = useFields(row, queues.data ?? [])
  const Mark = providerIcons[row?.provider ?? 'sandbox']
  return (
    <RecordForm<Values, Connection>
      {...slot}
      title={row?.name ?? words.words.create}
      mark={<Mark size={20} stroke={1.75} aria-hidden="true" />}
      {...(row && { subtitle: words.numbered(row.id) })}
      words={words.words}
      schema={ConnectionWrite}
      initial={valuesOf(row)}
      tabs={Object.entries(tabs).map(([key, label]) => ({ key, label }))}
      fields={fields}
      check={({ queueIds, greetingMessage }): Record<string, Problem> =>
        queueIds.length > 1 && greetingMessage.trim() === '' ? { greetingMessage: { kind: 'Required' } } : {}
      }
      codes={{
        ERR_WAPP_NAME_ALREADY_EXISTS: 'name',
        ERR_WAPP_GREETING_REQUIRED: 'greetingMessage',
        ERR_NO_OTHER_WHATSAPP: 'isDefault',
        ERR_QUEUE_NOT_FOUND: 'queueIds',
      }}
      write={(values, before) => writeRecord(connectionsApi, { ...values, promptId: row?.promptId ?? null }, before)}
    />
  )
}

const valuesOf = (row: Connection | null): Values => ({
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

function useFields(row: Connection | null, queues: Queue[]): Field<Values>[] {
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
