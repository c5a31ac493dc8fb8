import { type Help, HelpWrite, helpsApi } from '@recado/contract/helps'
import { useTexts } from '../../lib/texts.ts'
import type { FormField } from '../../records/fields/field.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import { helpTexts } from './help-texts.ts'

type Values = { title: string; description: string; video: string }

export function HelpForm(slot: FormSlot<Help>) {
  const { row } = slot
  const words = useTexts(helpTexts)
  const fields: FormField<Values>[] = [
    { kind: 'text', name: 'title', label: words.heading, required: true, maxLength: 100 },
    { kind: 'text', name: 'video', label: words.video, help: words.videoHelp, placeholder: 'https://youtu.be/…' },
    { kind: 'textarea', name: 'description', label: words.description, limit: 2000 },
  ]
  return (
    <RecordForm<Values, Help>
      {...slot}
      size="small"
      title={row?.title ?? words.words.create}
      words={words.words}
      schema={HelpWrite}
      initial={{ title: row?.title ?? '', description: row?.description ?? '', video: row?.video ?? '' }}
      fields={fields}
      write={(values, before) => writeRecord(helpsApi, values, before)}
    />
  )
}
