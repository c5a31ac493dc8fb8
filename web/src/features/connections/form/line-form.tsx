import { type Connection, ConnectionWrite, connectionsApi, type LineProvider } from '@recado/contract/connections'
import { defaultLineProvider, lineTraits } from '@recado/contract/line-traits'
import { useTexts } from '../../../lib/texts.ts'
import { providerIcons } from '../../../parts/line/line-icons.ts'
import { useQueues } from '../../../parts/use-queues.ts'
import { RecordForm } from '../../../records/record-form.tsx'
import type { FormSlot } from '../../../records/records-page.tsx'
import { writeRecord } from '../../../records/write-record.ts'
import { texts } from '../texts.ts'
import { lineFormTexts } from './line-form-texts.ts'
import { type LineFormValues, toLineFormValues } from './line-form-values.ts'
import { toPacingBody } from './pace-field.tsx'
import { useLineFields } from './use-line-fields.tsx'

/** Tabs that only certain kinds of line have. */
const tabFlags: Record<string, 'account' | 'paced'> = { cloud: 'account', pace: 'paced' }

type Props = FormSlot<Connection> & {
  /** The requested kind of connection, if it differs from the line's own kind. */
  provider?: LineProvider | undefined
  /** Connects the number with Meta instead of entering its account; `name`: what is in the form. */
  onSignup: (name: string) => void
}

export function LineForm({ provider, onSignup, ...slot }: Props) {
  const { row } = slot
  const words = useTexts(texts)
  const { tabs } = useTexts(lineFormTexts)
  const queues = useQueues()
  const fields = useLineFields(row, queues.data ?? [], onSignup)
  const initial = toLineFormValues(row)
  const Mark = providerIcons[row?.provider ?? defaultLineProvider]
  return (
    <RecordForm<LineFormValues, Connection>
      {...slot}
      title={row?.name ?? words.words.create}
      mark={<Mark size={20} stroke={1.75} aria-hidden="true" />}
      {...(row && { subtitle: words.numbered(row.id) })}
      words={words.words}
      schema={ConnectionWrite}
      initial={provider ? { ...initial, provider } : initial}
      tabs={(values) =>
        Object.entries(tabs)
          .filter(([key]) => !tabFlags[key] || lineTraits[values.provider][tabFlags[key]])
          .map(([key, label]) => ({ key, label }))
      }
      fields={fields}
      fieldByErrorCode={{
        ERR_WAPP_NAME_ALREADY_EXISTS: 'name',
        ERR_WAPP_GREETING_REQUIRED: 'greetingMessage',
        ERR_NO_OTHER_WHATSAPP: 'isDefault',
        ERR_QUEUE_NOT_FOUND: 'queueIds',
      }}
      write={({ cloud, pacing, ...values }, before) => {
        const { account, paced } = lineTraits[values.provider]
        const own = {
          ...(account && { cloud }),
          ...(paced && { pacing: toPacingBody(pacing) }),
        }
        return writeRecord(connectionsApi, { ...values, ...own }, before)
      }}
    />
  )
}
