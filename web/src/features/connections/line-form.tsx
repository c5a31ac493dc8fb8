import { type Connection, ConnectionWrite, connectionsApi } from '@recado/contract/connections'
import { queuesApi } from '@recado/contract/queues'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { providerIcons } from '../../parts/line-icons.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import { formTexts } from './form-texts.ts'
import { useFields, type Values, valuesOf } from './line-fields.tsx'
import { texts } from './texts.ts'

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
