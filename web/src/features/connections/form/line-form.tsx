import { type Connection, ConnectionWrite, connectionsApi, type Provider } from '@recado/contract/connections'
import { traits, usualProvider } from '@recado/contract/traits'
import { useTexts } from '../../../lib/texts.ts'
import { providerIcons } from '../../../parts/line/line-icons.ts'
import { useQueues } from '../../../parts/use-queues.ts'
import { RecordForm } from '../../../records/record-form.tsx'
import type { FormSlot } from '../../../records/records-page.tsx'
import { writeRecord } from '../../../records/write-record.ts'
import { texts } from '../texts.ts'
import { formTexts } from './form-texts.ts'
import { useFields } from './line-fields.tsx'
import { type Values, valuesOf } from './line-values.ts'
import { paceWrite } from './pace-field.tsx'

/** Tabs that only some kinds of line have. */
const tabOf: Record<string, 'account' | 'paced'> = { cloud: 'account', pace: 'paced' }

type Props = FormSlot<Connection> & {
  /** The road somebody asked for, where it is not the line's own. */
  provider?: Provider | undefined
}

export function LineForm({ provider, ...slot }: Props) {
  const { row } = slot
  const words = useTexts(texts)
  const { tabs } = useTexts(formTexts)
  const queues = useQueues()
  const fields = useFields(row, queues.data ?? [])
  const initial = valuesOf(row)
  const Mark = providerIcons[row?.provider ?? usualProvider]
  return (
    <RecordForm<Values, Connection>
      {...slot}
      title={row?.name ?? words.words.create}
      mark={<Mark size={20} stroke={1.75} aria-hidden="true" />}
      {...(row && { subtitle: words.numbered(row.id) })}
      words={words.words}
      schema={ConnectionWrite}
      initial={provider ? { ...initial, provider } : initial}
      tabs={(values) =>
        Object.entries(tabs)
          .filter(([key]) => !tabOf[key] || traits[values.provider][tabOf[key]])
          .map(([key, label]) => ({ key, label }))
      }
      fields={fields}
      codes={{
        ERR_WAPP_NAME_ALREADY_EXISTS: 'name',
        ERR_WAPP_GREETING_REQUIRED: 'greetingMessage',
        ERR_NO_OTHER_WHATSAPP: 'isDefault',
        ERR_QUEUE_NOT_FOUND: 'queueIds',
      }}
      write={({ cloud, pacing, ...values }, before) => {
        const { account, paced } = traits[values.provider]
        const own = {
          ...(account && { cloud }),
          ...(paced && { pacing: paceWrite(pacing) }),
        }
        return writeRecord(connectionsApi, { ...values, ...own }, before)
      }}
    />
  )
}
