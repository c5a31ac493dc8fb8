import { type QuickMessage, QuickMessageWrite, quickMessagesApi } from '@recado/contract/quick-messages'
import { call } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { mediaOf, settleMedia, tellAs } from '../../parts/attached-media.ts'
import { MessageField } from '../../parts/message-field.tsx'
import type { Field, FileValue } from '../../records/fields/field.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import { texts } from './texts.ts'

type Values = { shortcode: string; message: string; geral: boolean; status: boolean; media: FileValue }

const show = (id: number) => call(quickMessagesApi.show, { params: { id } })

export function QuickMessageForm(slot: FormSlot<QuickMessage>) {
  const { row } = slot
  const words = useTexts(texts)
  const fields: Field<Values>[] = [
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
        status: row?.status ?? true,
        media: mediaOf(row, (path) => path, show),
      }}
      fields={fields}
      codes={{
        ERR_QUICKMESSAGE_SHORTCODE_EXISTS: 'shortcode',
        ERR_FILE_TYPE: 'media',
        ERR_FILESIZE_OVER_LIMIT: 'media',
      }}
      write={({ shortcode, message, geral, status }, before) =>
        writeRecord(
          quickMessagesApi,
          { shortcode: shortcode.trim().replace(/^\/+/, ''), message, geral, status },
          before,
        )
      }
      after={(saved, { media }, tell) =>
        settleMedia(quickMessagesApi, saved, media, tellAs(tell, 'media'), { typeArch: 'quickMessage' })
      }
    />
  )
}
