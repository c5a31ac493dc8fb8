import {
  type Contact,
  type ContactDetail,
  ContactUpdate,
  ContactWrite,
  contactsApi,
  extractDigits,
} from '@recado/contract/contacts'
import type { User } from '@recado/contract/users'
import { ApiError, callApi } from '../../lib/api.ts'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import type { FieldProblemDetail } from '../../records/field-problems.ts'
import type { FormField } from '../../records/fields/field.ts'
import { RecordForm } from '../../records/record-form.tsx'
import { openConfirm } from '../../ui/confirm.tsx'
import { FieldError } from '../../ui/text-field.tsx'
import { CampaignStopNotice } from '../campaign-stop-notice.tsx'
import { ContactAvatar } from '../contact-avatar.tsx'
import { formatPhoneNumber } from '../phone-number.ts'
import { languageOptions } from '../routing/languages.ts'
import { useAllUsers } from '../select-option-queries.ts'
import { ExtraInfoField, type ExtraInfoRow } from './extra-info-field.tsx'
import { type ContactMerges, MergedContacts } from './merged-contacts.tsx'
import { NumberField } from './number-field.tsx'
import { contactFormTexts } from './texts.ts'
import { type DuplicateContact, useDuplicateContact } from './use-duplicate-contact.ts'

type Values = {
  name: string
  number: string
  email: string
  extraInfo: ExtraInfoRow[]
  language: string | null
  ownerId: string | null
  disableBot: boolean
  stop: null
  joined: null
}

export type ContactFormProps = {
  opened: boolean
  /** Whether the form is rendered in place instead of in a dialog. */
  inline?: boolean | undefined
  onClose: () => void
  contact: ContactDetail | null
  /** Initial values of a new contact. */
  initial?: { name?: string; number?: string; email?: string } | undefined
  merges: ContactMerges
  onSaved: (contact: ContactDetail, isNew: boolean) => void
  existingAction: string
  onUseExisting: (contact: Contact) => void
  onSeparated: (back: ContactDetail) => void
  /** Asks for confirmation, deletes the contact and returns whether it was deleted. Absent without permission. */
  onRemove?: (() => Promise<boolean>) | undefined
}

export function ContactForm({ contact, initial, ...props }: ContactFormProps) {
  const words = useTexts(contactFormTexts)
  const taken = useDuplicateContact()
  return (
    <RecordForm<Values, ContactDetail>
      opened={props.opened}
      inline={props.inline}
      onClose={props.onClose}
      row={contact}
      title={contact?.name ?? words.create}
      {...(contact && {
        mark: <ContactAvatar contact={contact} size={24} isGroup={contact.isGroup} />,
        subtitle: words.numbered(contact.id),
      })}
      size="small"
      words={words.words}
      schema={
        contact
          ? ContactUpdate.omit({ extraInfo: true, ownerId: true, language: true })
          : ContactWrite.omit({ extraInfo: true, ownerId: true, language: true })
      }
      check={findUnnamedExtras}
      initial={toFormValues(contact, initial)}
      fields={useFields({ contact, ...props }, taken)}
      fieldByErrorCode={{
        ERR_DUPLICATED_CONTACT: 'number',
        ERR_WAPP_INVALID_CONTACT: 'number',
        ERR_WAPP_CHECK_CONTACT: 'number',
        ERR_CONTACT_CONVERSATIONS: 'number',
        ERR_CONTACT_NUMBER_CONFIRM: 'number',
      }}
      write={(values, before) =>
        taken.watchSave(values.number, () =>
          confirmNumberChange(words, values, before, (isSure) => saveContact(values, before, isSure)),
        )
      }
      onSaved={props.onSaved}
      onRemove={props.onRemove}
    />
  )
}

function useFields(props: Omit<ContactFormProps, 'initial'>, taken: DuplicateContact): FormField<Values>[] {
  const words = useTexts(contactFormTexts)
  const { contact, merges } = props
  const [reader] = useLanguage()
  const { data: users = [] } = useAllUsers()
  const help = contact?.isGroup ? words.groupNumber : contact && !contact.number ? words.noNumber : words.numberHint
  return [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 50 },
    {
      kind: 'custom',
      name: 'number',
      label: words.number,
      render: ({ form, error }) => (
        <NumberField
          value={form.values.number}
          onChange={(number) => form.setFieldValue('number', number)}
          error={error}
          help={help}
          required={contact?.number !== ''}
          disabled={contact?.isGroup === true}
          existing={taken.findFor(form.values.number)}
          action={props.existingAction}
          onUseExisting={props.onUseExisting}
        />
      ),
    },
    { kind: 'email', name: 'email', label: words.email, maxLength: 254 },
    {
      kind: 'custom',
      name: 'extraInfo',
      label: words.extra,
      render: ({ form }) => (
        <ExtraInfoField
          rows={form.values.extraInfo}
          onChange={(rows) => {
            form.setFieldValue('extraInfo', rows)
            // An error disappears when its row is removed or edited.
            for (const path of Object.keys(form.errors)) if (path.startsWith('extraInfo.')) form.clearFieldError(path)
          }}
          errorAt={(i) => withIcon(form.errors[`extraInfo.${i}.name`])}
        />
      ),
    },
    {
      kind: 'select',
      name: 'ownerId',
      label: words.owner,
      help: words.ownerHelp,
      options: listOwners(users, contact).map(({ id, name }) => ({ value: String(id), label: name })),
      placeholder: words.noOwner,
      clearable: true,
      when: () => users.length > 0,
    },
    {
      kind: 'select',
      name: 'language',
      label: words.language,
      options: languageOptions(reader, [contact?.language ?? null]),
      placeholder: words.noLanguage,
      clearable: true,
      when: () => !contact?.isGroup,
    },
    { kind: 'switch', name: 'disableBot', label: words.bot, help: words.botHelp },
    {
      kind: 'custom',
      name: 'stop',
      label: words.name,
      when: () => contact !== null && !contact.isGroup,
      render: () => contact && <CampaignStopNotice contactId={contact.id} canAdd />,
    },
    {
      kind: 'custom',
      name: 'joined',
      label: words.joined,
      when: () => merges.length > 0,
      render: ({ form }) => (
        <MergedContacts merges={merges} hasChanges={() => form.isDirty()} onSeparated={props.onSeparated} />
      ),
    },
  ]
}

/** Deactivated users look after nobody new. */
const listOwners = (users: User[], contact: ContactDetail | null): User[] =>
  users.filter(({ id, active }) => active || id === contact?.ownerId)

const withIcon = (error: React.ReactNode) => error && <FieldError>{error}</FieldError>

function toFormValues(contact: ContactDetail | null, initial: ContactFormProps['initial']): Values {
  return {
    name: contact?.name ?? initial?.name ?? '',
    number: contact?.number ?? initial?.number ?? '',
    email: contact?.email ?? initial?.email ?? '',
    extraInfo: contact?.extraInfo.map((one) => ({ ...one, key: String(one.id) })) ?? [],
    language: contact?.language ?? null,
    ownerId: contact?.ownerId ? String(contact.ownerId) : null,
    disableBot: contact?.disableBot ?? false,
    stop: null,
    joined: null,
  }
}

/** A value without a name is incomplete; an empty row is ignored. */
function findUnnamedExtras({ extraInfo }: Values): Record<string, FieldProblemDetail> {
  const wrong = extraInfo.flatMap(({ name, value }, i) => (value.trim() && !name.trim() ? [i] : []))
  return Object.fromEntries(wrong.map((i) => [`extraInfo.${i}.name`, { kind: 'Required' as const }]))
}

/** While a ticket is open, the server requires a confirmation that answers will go to another number. */
async function confirmNumberChange(
  words: (typeof contactFormTexts)['es'],
  { number }: Values,
  before: ContactDetail | null,
  save: (isSure: boolean) => Promise<ContactDetail>,
): Promise<ContactDetail> {
  try {
    return await save(false)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'ERR_CONTACT_NUMBER_CONFIRM' || !before) throw error
    const isSure = await openConfirm({
      title: words.renumberAsk(before.name),
      consequence: words.renumberLine(formatPhoneNumber(before.number), formatPhoneNumber(extractDigits(number))),
      verb: words.renumberVerb,
    })
    if (!isSure) throw error
    return save(true)
  }
}

function saveContact(values: Values, before: ContactDetail | null, confirmNumber: boolean): Promise<ContactDetail> {
  const { name, number, email, language, disableBot } = values
  const ownerId = values.ownerId ? Number(values.ownerId) : null
  const extraInfo = values.extraInfo
    .filter((one) => one.name.trim())
    .map(({ id, name, value }) => ({ ...(id !== undefined && { id }), name, value }))
  const body = { name, number, email, language, ownerId, disableBot, extraInfo }
  return before
    ? callApi(contactsApi.update, { params: { id: before.id }, body: { ...body, confirmNumber } })
    : callApi(contactsApi.create, { body })
}
