import { type Help, HelpWrite, helpsApi } from '@recado/contract/helps'
import { topics } from '@recado/contract/live'
import { IconVideo } from '@tabler/icons-react'
import { call } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { Clip, Named, Quiet } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import type { Field } from '../../records/fields/field.ts'
import { byText, contains } from '../../records/merge.ts'
import { RecordForm } from '../../records/record-form.tsx'
import { type FormSlot, RecordsPage } from '../../records/records-page.tsx'
import { sourceOf } from '../../records/use-records.ts'
import { writeRecord } from '../../records/write-record.ts'
import { helpTexts } from './help-texts.ts'

const source = sourceOf(helpsApi.list, 'records', topics.help, {
  matches: contains<Help>((help) => help.title),
  order: byText<Help>((help) => help.title),
})

/** Where the super user keeps the videos that everybody sees under Help. */
export function HelpsTab() {
  const words = useTexts(helpTexts)
  const columns: Column<Help>[] = [
    { key: 'title', head: words.heading, card: 'title', cell: (help) => <Named>{help.title}</Named> },
    { key: 'description', head: words.description, low: true, cell: (help) => <Clip>{help.description}</Clip> },
    {
      key: 'video',
      head: words.video,
      width: 180,
      card: 'line',
      cell: (help) => (help.video ? <Clip>{help.video}</Clip> : <Quiet>{words.noVideo}</Quiet>),
    },
  ]
  return (
    <RecordsPage
      embedded
      source={source}
      words={words.words}
      columns={columns}
      nameOf={(help) => help.title}
      icon={<IconVideo size={26} stroke={1.6} />}
      form={(slot) => <HelpForm {...slot} />}
      remove={(help) => call(helpsApi.remove, { params: { id: help.id } })}
      consequence={() => words.consequence}
      may={{ create: true, edit: () => true, remove: () => true }}
    />
  )
}

type Values = { title: string; description: string; video: string }

function HelpForm(slot: FormSlot<Help>) {
  const { row } = slot
  const words = useTexts(helpTexts)
  const fields: Field<Values>[] = [
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
