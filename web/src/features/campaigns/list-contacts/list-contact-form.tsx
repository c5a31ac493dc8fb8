import {
  type ContactListItem,
  ContactListItemWrite,
  contactListItemsApi,
} from '@recado/contract/campaigns/contact-lists'
import { useTexts } from '../../../lib/texts.ts'
import type { FormField } from '../../../records/fields/field.ts'
import { RecordForm } from '../../../records/record-form.tsx'
import type { FormSlot } from '../../../records/records-page.tsx'
import { writeRecord } from '../../../records/write-record.ts'
import { texts } from './texts.ts'

type Values = { name: string; number: string; email: string; contactListId: number }

export function ListContactForm({ contactListId, ...slot }: FormSlot<ContactListItem> & { contactListId: number }) {
  const { row } = slot
  const words = useTexts(texts)
  const fields: FormField<Values>[] = [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 50 },
    { kind: 'text', name: 'number', label: words.number, required: true, maxLength: 50, help: words.numberHelp },
    { kind: 'email', name: 'email', label: words.email },
  ]
  return (
    <RecordForm<Values, ContactListItem>
      {...slot}
      size="small"
      title={row?.name ?? words.words.create}
      words={words.words}
      schema={ContactListItemWrite}
      initial={{ name: row?.name ?? '', number: row?.number ?? '', email: row?.email ?? '', contactListId }}
      fields={fields}
      fieldByErrorCode={{ ERR_DUPLICATED_CONTACT: 'number' }}
      write={(values, before) => writeRecord(contactListItemsApi, values, before)}
    />
  )
}
