import { Input, SegmentedControl } from '@mantine/core'
import { type Announcement, AnnouncementWrite, announcementsApi } from '@recado/contract/announcements'
import { useId } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { initialMediaValue, reportProgressAs, saveAttachedMedia } from '../../parts/attached-media.ts'
import type { FileValue, FormField } from '../../records/fields/field.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import { texts } from './texts.ts'

type Values = { title: string; text: string; priority: number; status: boolean; media: FileValue }

const readAnnouncement = (id: number) => callApi(announcementsApi.show, { params: { id } })
const publicUrl = (path: string) => `/public/${path}`

export function AnnouncementForm(slot: FormSlot<Announcement>) {
  const { row } = slot
  const words = useTexts(texts)
  const fields: FormField<Values>[] = [
    { kind: 'text', name: 'title', label: words.heading, required: true, maxLength: 100 },
    { kind: 'textarea', name: 'text', label: words.text, required: true, rows: 5, limit: 4000 },
    {
      kind: 'custom',
      name: 'priority',
      label: words.priority,
      render: ({ form }) => (
        <PriorityField value={form.values.priority} onChange={(priority) => form.setFieldValue('priority', priority)} />
      ),
    },
    { kind: 'file', name: 'media', label: words.image, accept: '.png,.jpg,.jpeg', accepted: words.accepted },
    { kind: 'switch', name: 'status', label: words.activeSwitch, help: words.activeHelp },
  ]
  return (
    <RecordForm<Values, Announcement>
      {...slot}
      title={row?.title ?? words.words.create}
      words={words.words}
      schema={AnnouncementWrite}
      initial={{
        title: row?.title ?? '',
        text: row?.text ?? '',
        priority: row?.priority ?? 3,
        status: row?.status ?? true,
        media: initialMediaValue(row, publicUrl, readAnnouncement),
      }}
      fields={fields}
      fieldByErrorCode={{ ERR_FILE_TYPE: 'media', ERR_FILESIZE_OVER_LIMIT: 'media' }}
      write={({ title, text, priority, status }, before) =>
        writeRecord(announcementsApi, { title, text, priority, status }, before)
      }
      afterSave={(saved, { media }, tell) =>
        saveAttachedMedia(announcementsApi, saved, media, reportProgressAs(tell, 'media'))
      }
    />
  )
}

function PriorityField({ value, onChange }: { value: number; onChange: (priority: number) => void }) {
  const words = useTexts(texts)
  const id = useId()
  return (
    <div>
      <Input.Label labelElement="div" id={id}>
        {words.priority}
      </Input.Label>
      <SegmentedControl
        fullWidth
        aria-labelledby={id}
        value={String(value)}
        onChange={(picked) => onChange(Number(picked))}
        data={[
          { value: '1', label: words.high },
          { value: '2', label: words.medium },
          { value: '3', label: words.low },
        ]}
      />
    </div>
  )
}
