import { profiles } from '@recado/contract/rules'
import { type User, UserWrite, usersApi } from '@recado/contract/users'
import { useCan } from '../lib/can.tsx'
import { useTexts } from '../lib/texts.ts'
import type { Field } from '../records/fields/field.ts'
import type { Problem } from '../records/problems.ts'
import { RecordForm } from '../records/record-form.tsx'
import type { FormSlot } from '../records/records-page.tsx'
import { writeRecord } from '../records/write-record.ts'
import { PersonAvatar } from '../ui/person-avatar.tsx'
import { userTexts } from './user-texts.ts'

type Values = {
  name: string
  email: string
  password: string
  profile: User['profile']
  allTicket: boolean
  active: boolean
}

/** A person of the own company, or of the one the super user is looking at. */
export function UserForm({ companyId, ...slot }: FormSlot<User> & { companyId?: number }) {
  const { row } = slot
  const words = useTexts(userTexts)
  const mayProfile = useCan()('user-modal:editProfile')
  const fields: Field<Values>[] = [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 50 },
    { kind: 'email', name: 'email', label: words.email, required: true, maxLength: 254 },
    {
      kind: 'password',
      name: 'password',
      label: words.password,
      required: !row,
      help: row ? words.keepPassword : words.newPassword,
    },
    {
      kind: 'select',
      name: 'profile',
      label: words.profile,
      options: profiles.map((value) => ({ value, label: words[value] })),
      when: () => mayProfile,
    },
    { kind: 'switch', name: 'allTicket', label: words.allTicket, help: words.allTicketHelp, when: () => mayProfile },
    { kind: 'switch', name: 'active', label: words.active, help: words.activeHelp, when: () => mayProfile && !!row },
  ]
  return (
    <RecordForm<Values, User>
      {...slot}
      size="small"
      title={row?.name ?? words.words.create}
      {...(row && { mark: <PersonAvatar id={row.id} name={row.name} size={24} />, subtitle: words.numbered(row.id) })}
      words={words.words}
      schema={UserWrite.pick({ name: true, email: true, password: true })}
      initial={{
        name: row?.name ?? '',
        email: row?.email ?? '',
        password: '',
        profile: row?.profile ?? 'user',
        allTicket: row?.allTicket === 'enabled',
        active: row?.active ?? true,
      }}
      fields={fields}
      check={({ password }, before): Record<string, Problem> =>
        before || password ? {} : { password: { kind: 'Required' } }
      }
      codes={{ ERR_EMAIL_ALREADY_EXISTS: 'email', ERR_LAST_ADMIN: 'profile' }}
      write={(values, before) => writeRecord(usersApi, bodyOf(values, row, companyId), before)}
    />
  )
}

/** Queues and connection have their own screens: here they stay what they were. */
export function bodyOf(values: Values, before: User | null, companyId?: number) {
  return {
    ...values,
    allTicket: values.allTicket ? ('enabled' as const) : ('desabled' as const),
    whatsappId: before?.whatsappId ?? null,
    queueIds: before?.queues.map((queue) => queue.id) ?? [],
    ...(companyId !== undefined && { companyId }),
  }
}
