import { SegmentedControl } from '@mantine/core'
import {
  type ContactList,
  type ContactListQuery,
  ContactListWrite,
  contactListsApi,
} from '@recado/contract/campaigns/contact-lists'
import { useTexts } from '../../../lib/texts.ts'
import type { FormField } from '../../../records/fields/field.ts'
import { RecordForm } from '../../../records/record-form.tsx'
import type { FormSlot } from '../../../records/records-page.tsx'
import { writeRecord } from '../../../records/write-record.ts'
import { ListQuestionField } from './list-question-field.tsx'
import { texts } from './texts.ts'

type Values = { name: string; question: ContactListQuery | null }

const emptyQuestion: ContactListQuery = {
  tagIds: [],
  queueIds: [],
  adIds: [],
  wroteFrom: null,
  wroteUntil: null,
  field: null,
}

/** The kind of a list (rows or a filter) cannot be changed later: campaigns may have used the list. */
export function ContactListForm(slot: FormSlot<ContactList>) {
  const { row } = slot
  const words = useTexts(texts)
  const fields: FormField<Values>[] = [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 50 },
    {
      kind: 'custom',
      name: 'question',
      label: words.kind,
      when: () => row === null || row.question !== null,
      render: ({ form, error }) => (
        <>
          {row === null && (
            <SegmentedControl
              fullWidth
              aria-label={words.kind}
              mb="md"
              data={[
                { value: 'rows', label: words.kinds.rows },
                { value: 'question', label: words.kinds.question },
              ]}
              value={form.values.question ? 'question' : 'rows'}
              onChange={(kind) => form.setFieldValue('question', kind === 'question' ? emptyQuestion : null)}
            />
          )}
          {form.values.question && (
            <ListQuestionField
              value={form.values.question}
              error={error}
              onChange={(question) => form.setFieldValue('question', question)}
            />
          )}
        </>
      ),
    },
  ]
  return (
    <RecordForm<Values, ContactList>
      {...slot}
      title={row?.name ?? words.words.create}
      words={words.words}
      schema={ContactListWrite}
      initial={{ name: row?.name ?? '', question: row?.question ?? null }}
      fields={fields}
      write={({ name, question }, before) =>
        writeRecord(contactListsApi, { name, ...((question || !before) && { question }) }, before)
      }
    />
  )
}
