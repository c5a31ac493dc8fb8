import { type SessionUser, type User, UserWrite, usersApi } from '@recado/contract/users'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { PasswordStrength } from '../../parts/password-strength.tsx'
import { passwordTexts } from '../../parts/password-texts.ts'
import { usePasswordRule } from '../../parts/use-password-rule.ts'
import { findPasswordProblems, hasCredentialChanges } from '../../parts/user-form.tsx'
import { userTexts } from '../../parts/user-texts.ts'
import type { FormField } from '../../records/fields/field.ts'
import { RecordForm } from '../../records/record-form.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { texts } from './texts.ts'

type Props = { opened: boolean; onClose: () => void }
type Values = {
  name: string
  email: string
  password: string
  currentPassword: string
  weeklyMail: boolean
  undoSeconds: string
}

/** For how many seconds a message can be taken back; 0: not at all. */
const undoSendChoices = [0, 3, 6, 10, 20]

/** Users can change their own name, email, password and mail preferences. */
export function ProfileDialog({ opened, onClose }: Props) {
  const { user } = useSession()
  const [seen, setSeen] = useState({ opened, times: 0 })
  if (seen.opened !== opened) setSeen({ opened, times: seen.times + Number(opened) })
  // The form is remounted at every opening, so that it starts from current values.
  return user && <ProfileForm key={seen.times} user={user} opened={opened} onClose={onClose} />
}

function ProfileForm({ user, opened, onClose }: Props & { user: SessionUser }) {
  const { applyUser } = useSession()
  const words = useTexts(texts)
  const common = useTexts(userTexts)
  const rules = useTexts(passwordTexts)
  const rule = usePasswordRule()
  const fields: FormField<Values>[] = [
    { kind: 'text', name: 'name', label: common.name, required: true, maxLength: 50 },
    { kind: 'email', name: 'email', label: common.email, required: true, maxLength: 254 },
    {
      kind: 'password',
      name: 'password',
      label: words.password,
      help: `${words.passwordHelp} ${rules.rule[rule]}`,
      below: (typed) => <PasswordStrength password={typed} />,
    },
    {
      kind: 'password',
      name: 'currentPassword',
      label: rules.current,
      help: rules.currentHelp,
      required: true,
      current: true,
      when: (values) => hasCredentialChanges(values, user),
    },
    {
      kind: 'select',
      name: 'undoSeconds',
      label: words.undoSend,
      help: words.undoSendHelp,
      options: undoSendChoices.map((n) => ({ value: String(n), label: n ? words.undoSeconds(n) : words.undoOff })),
    },
    { kind: 'switch', name: 'weeklyMail', label: words.weeklyMail, help: words.weeklyMailHelp },
  ]
  return (
    <RecordForm<Values, User>
      row={user}
      opened={opened}
      onClose={onClose}
      onSaved={(saved) => applyUser({ ...user, ...saved })}
      size="small"
      title={words.title}
      mark={<PersonAvatar id={user.id} name={user.name} size={24} />}
      words={{ created: words.saved, saved: words.saved, remove: '' }}
      schema={UserWrite.pick({ name: true, email: true, password: true })}
      initial={{
        name: user.name,
        email: user.email,
        password: '',
        currentPassword: '',
        weeklyMail: user.weeklyMail,
        undoSeconds: String(user.undoSeconds),
      }}
      fields={fields}
      check={(values) => findPasswordProblems(values, user, rule, true)}
      fieldByErrorCode={{ ERR_EMAIL_ALREADY_EXISTS: 'email', ERR_CURRENT_PASSWORD: 'currentPassword' }}
      write={(values) => {
        const { profile, active, allTicket } = user
        return callApi(usersApi.update, {
          params: { id: user.id },
          body: { ...values, undoSeconds: Number(values.undoSeconds), profile, active, allTicket },
        })
      }}
    />
  )
}
