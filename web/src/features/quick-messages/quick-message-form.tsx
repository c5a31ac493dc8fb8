import { type QuickMessage, QuickMessageWrite, quickMessagesApi } from '@recado/contract/quick-messages'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { initialMediaValue, reportProgressAs, saveAttachedMedia } from '../../parts/attached-media.ts'
import { MessageField } from '../../parts/message-field.tsx'
import { useQueues } from '../../parts/use-queues.ts'
import type { FileValue, FormField } from '../../records/fields/field.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import { texts } from './texts.ts'

type Values = {
  shortcode: string
  message: string
  geral: boolean
  queueIds: string[]
  status: boolean
  media: FileValue
}

const readQuickMessage = (id: number) => callApi(quickMessagesApi.show, { params: { id } })

export function QuickMessageForm(slot: FormSlot<QuickMessage>) {
  const { row } = slot
  const words = useTexts(texts)
  const { data: queues } = useQueues()
  const fields: FormField<Values>[] = [
    {
      kind: 'text',
      name: 'shortcode',
      label: words.shortcode,
      help: words.shortcodeHelp,
      prefix: '/',
      required: true,
      maxLength: 50,
    },
    {
      kind: 'custom',
      name: 'message',
      label: words.message,
      render: ({ form, error }) => (
        <MessageField
          label={words.message}
          help={words.messageHelp}
          limit={4096}
          error={error}
          value={form.values.message}
          onChange={(text) => form.setFieldValue('message', text)}
        />
      ),
    },
    { kind: 'file', name: 'media', label: words.attachment, accept: '', accepted: '' },
    { kind: 'switch', name: 'geral', label: words.geral, help: words.geralHelp },
    {
      kind: 'multi-select',
      name: 'queueIds',
      label: words.queues,
      help: words.queuesHelp,
      options: (queues ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
    },
    { kind: 'switch', name: 'status', label: words.status, help: words.statusHelp },
  ]
  return (
    <RecordForm<Values, QuickMessage>
      {...slot}
      title={row ? `/${row.shortcode}` : words.words.create}
      words={words.words}
      schema={QuickMessageWrite}
      initial={{
        shortcode: row?.shortcode ?? '',
        message: row?.message ?? '',
        geral: row?.geral ?? false,
        queueIds: (row?.queueIds ?? []).map(String),
        status: row?.status ?? true,
        media: initialMediaValue(row, (path) => path, readQuickMessage),
      }}
      fields={fields}
      fieldByErrorCode={{
        ERR_QUICKMESSAGE_SHORTCODE_EXISTS: 'shortcode',
        ERR_FILE_TYPE: 'media',
        ERR_FILESIZE_OVER_LIMIT: 'media',
      }}
      write={({ shortcode, message, geral, queueIds, status }, before) =>
        writeRecord(
          quickMessagesApi,
          {
            ...{ shortcode: shortcode.trim().replace(/^\/+/, ''), message, geral, status },
            queueIds: queueIds.map(Number),
          },
          before,
        )
      }
      afterSave={(saved, { media }, tell) =>
        saveAttachedMedia(quickMessagesApi, saved, media, reportProgressAs(tell, 'media'), { typeArch: 'quickMessage' })
      }
    />
  )
}
