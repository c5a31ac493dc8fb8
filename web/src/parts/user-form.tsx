import { Button } from '@mantine/core'
import { connectionsApi } from '@recado/contract/connections'
import type { Hours } from '@recado/contract/hours/hours'
import { findPasswordProblem } from '@recado/contract/passwords/password-check'
import { type PasswordRule, passwordRules } from '@recado/contract/passwords/passwords'
import { twoFactorApi } from '@recado/contract/passwords/two-factor'
import { profiles } from '@recado/contract/rules'
import { type Invitation, invitationValidDays, type User, UserWrite, usersApi } from '@recado/contract/users'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '../lib/api.ts'
import { useCan } from '../lib/can.tsx'
import { useSession } from '../lib/session.tsx'
import { useTexts } from '../lib/texts.ts'
import { toast } from '../lib/toast.ts'
import type { FieldProblemDetail } from '../records/field-problems.ts'
import type { FormField } from '../records/fields/field.ts'
import { RecordForm } from '../records/record-form.tsx'
import type { FormSlot } from '../records/records-page.tsx'
import { writeRecord } from '../records/write-record.ts'
import { InlineNotice } from '../ui/inline-notice.tsx'
import { PersonAvatar } from '../ui/person-avatar.tsx'
import { listTimeZones } from '../ui/select-options.ts'
import { confirmDeactivation } from './confirm-deactivation.ts'
import { findInvalidDay } from './hours/week-hours.ts'
import { PasswordStrength } from './password-strength.tsx'
import { passwordTexts } from './password-texts.ts'
import { ShiftsField } from './routing/shifts-field.tsx'
import { UserSkillsField } from './routing/user-skills-field.tsx'
import { refetchOnOpen } from './select-option-queries.ts'
import { usePasswordRule } from './use-password-rule.ts'
import { useQueues } from './use-queues.ts'
import { userTexts } from './user-texts.ts'

type Values = {
  name: string
  email: string
  password: string
  currentPassword: string
  profile: User['profile']
  allTicket: boolean
  active: boolean
  queueIds: string[]
  whatsappId: string | null
  capacity: number | ''
  skillIds: number[]
  shifts: Hours[]
  timeZone: string | null
  /** A field without an input: the button to invite the user again. */
  invitation: null
  /** A field without an input: a warning that the user would see no tickets. */
  visibility: null
  /** A field without an input: the button to reset the user's second factor. */
  twoFactor: null
}

/** The address `/users?new=invite` opens the form without a password: the person is invited to choose one. */
const invitationRequest = 'invite'

const InvitationLinkDialog = lazy(() =>
  import('./invitation-link-dialog.tsx').then((module) => ({ default: module.InvitationLinkDialog })),
)

/** Offers to invite a user again who has not registered: the link may be lost or expired. */
function PendingInvitation({ user, onInvited }: { user: User; onInvited: (made: Invitation) => void }) {
  const words = useTexts(userTexts)
  const again = () => callApi(usersApi.invite, { params: { id: user.id } }).then(onInvited, toast.error)
  return (
    <InlineNotice kind="info">
      {words.awaits}{' '}
      <Button variant="subtle" size="compact-sm" onClick={() => void again()}>
        {words.inviteAgain}
      </Button>
    </InlineNotice>
  )
}

/** Lets an admin reset the second factor of a user who lost their phone and recovery codes. */
function TwoFactorReset({ user }: { user: User }) {
  const words = useTexts(userTexts)
  const [isOn, setOn] = useState(user.twoFactor)
  const end = () =>
    callApi(twoFactorApi.endFor, { params: { id: user.id } }).then(() => {
      setOn(false)
      toast.ok(words.twoFactorEnded)
    }, toast.error)
  return (
    <InlineNotice kind="info">
      {isOn ? words.twoFactorOn : words.twoFactorEnded}{' '}
      {isOn && (
        <Button variant="subtle" size="compact-sm" onClick={() => void end()}>
          {words.twoFactorEnd}
        </Button>
      )}
    </InlineNotice>
  )
}

/** A user of the current user's company, or of the company that the super user is viewing. */
export function UserForm({ companyId, ...slot }: FormSlot<User> & { companyId?: number }) {
  const { row, requested } = slot
  const isInvitation = !row && requested === invitationRequest
  const words = useTexts(userTexts)
  const rules = useTexts(passwordTexts)
  const rule = usePasswordRule()
  const self = useSession().user?.id === row?.id
  const may = useCan()
  const mayProfile = may('user-modal:editProfile')
  const [link, setLink] = useState({ name: '', url: '', opened: false })
  /** Says that the invitation was sent by mail, or shows the link to pass on. */
  const invitationText = ({ name, email }: User, { url }: Invitation) =>
    url === null
      ? toast.ok(words.inviteSent, words.inviteSentLine(email, invitationValidDays))
      : setLink({ name, url, opened: true })
  const own = companyId === undefined
  const places = useQueueAndLineOptions(own && may('user-modal:editQueues'))
  const fields: FormField<Values>[] = [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 50 },
    { kind: 'email', name: 'email', label: words.email, required: true, maxLength: 254 },
    {
      kind: 'password',
      name: 'password',
      label: words.password,
      help: row ? (self ? words.keepOwnPassword : words.keepPassword) : `${words.orInvite} ${rules.rule[rule]}`,
      below: (typed) => <PasswordStrength password={typed} />,
      when: () => !isInvitation,
    },
    {
      kind: 'custom',
      name: 'invitation',
      label: words.invited,
      when: () => row?.invited === true,
      render: () => row && <PendingInvitation user={row} onInvited={(made) => invitationText(row, made)} />,
    },
    {
      kind: 'custom',
      name: 'twoFactor',
      label: words.twoFactor,
      when: () => row?.twoFactor === true && !self && mayProfile,
      render: () => row && <TwoFactorReset user={row} />,
    },
    {
      kind: 'password',
      name: 'currentPassword',
      label: rules.current,
      help: rules.currentHelp,
      required: true,
      current: true,
      when: (values) => self && hasCredentialChanges(values, row),
    },
    {
      kind: 'select',
      name: 'profile',
      label: words.profile,
      options: profiles.map((value) => ({ value, label: words[value] })),
      when: () => mayProfile,
    },
    {
      kind: 'multi-select',
      name: 'queueIds',
      label: words.queues,
      help: words.queuesHelp,
      options: places.queues,
      when: (values) => places.queues.length > 0 && !canSeeAllTickets(values),
    },
    {
      kind: 'custom',
      name: 'visibility',
      label: words.queues,
      when: (values) => places.isNeeded && !canSeeAllTickets(values) && values.queueIds.length === 0,
      render: ({ form }) => (
        <InlineNotice kind="warn">
          {form.values.allTicket
            ? words.seesLoose
            : places.queues.length > 0
              ? words.seesNothing
              : words.seesNothingNoQueues}
        </InlineNotice>
      ),
    },
    {
      kind: 'number',
      name: 'capacity',
      label: words.capacity,
      help: words.capacityHelp,
      min: 1,
      max: 1000,
      when: () => mayProfile && !isInvitation,
    },
    {
      kind: 'custom',
      name: 'skillIds',
      label: words.capacity,
      when: () => mayProfile && own && !isInvitation,
      render: ({ form }) => (
        <UserSkillsField value={form.values.skillIds} onChange={(ids) => form.setFieldValue('skillIds', ids)} />
      ),
    },
    {
      kind: 'custom',
      name: 'shifts',
      label: words.shifts,
      when: () => mayProfile && own && !isInvitation,
      render: ({ form }) => (
        <ShiftsField
          value={form.values.shifts}
          onChange={(shifts) => {
            form.clearFieldError('shifts')
            form.setFieldValue('shifts', shifts)
          }}
        />
      ),
    },
    {
      kind: 'select',
      name: 'whatsappId',
      label: words.line,
      help: words.lineHelp,
      options: places.lines,
      clearable: true,
      when: () => places.lines.length > 0 && !isInvitation,
    },
    {
      kind: 'select',
      name: 'timeZone',
      label: words.timeZone,
      help: words.timeZoneHelp,
      options: timeZoneOptions(row?.hasTimeZone ? row.timeZone : null),
      placeholder: words.noTimeZone,
      clearable: true,
      when: () => !isInvitation,
    },
    {
      kind: 'switch',
      name: 'allTicket',
      label: words.allTicket,
      help: words.allTicketHelp,
      when: (values) => mayProfile && !canSeeAllTickets(values),
    },
    {
      // Admins see every ticket: for them the switch only concerns notifications.
      kind: 'switch',
      name: 'allTicket',
      label: words.allTicketOfAdmin,
      help: words.allTicketOfAdminHelp,
      when: (values) => mayProfile && canSeeAllTickets(values),
    },
    { kind: 'switch', name: 'active', label: words.active, help: words.activeHelp, when: () => mayProfile && !!row },
  ]
  // A new user is in all queues unless they are removed, so the form opens when the queues are loaded.
  if (!row && !places.isLoaded) return null
  return (
    <>
      <RecordForm<Values, User>
        {...slot}
        size="small"
        title={row?.name ?? (isInvitation ? words.invite : words.words.create)}
        {...(isInvitation && { submitLabel: words.sendInvitation })}
        {...(row && { mark: <PersonAvatar id={row.id} name={row.name} size={24} />, subtitle: words.numbered(row.id) })}
        words={words.words}
        schema={UserWrite.pick({ name: true, email: true, password: true })}
        initial={{
          name: row?.name ?? '',
          email: row?.email ?? '',
          password: '',
          currentPassword: '',
          profile: row?.profile ?? 'user',
          allTicket: row ? row.allTicket === 'enabled' : isInvitation,
          active: row?.active ?? true,
          queueIds: row?.queues.map((queue) => String(queue.id)) ?? places.queues.map(({ value }) => value),
          whatsappId: row?.whatsappId ? String(row.whatsappId) : null,
          capacity: row?.capacity ?? '',
          skillIds: row?.skillIds ?? [],
          shifts: row?.shifts ?? [],
          timeZone: row?.hasTimeZone ? row.timeZone : null,
          invitation: null,
          visibility: null,
          twoFactor: null,
        }}
        fields={fields}
        check={(values, before) => ({
          ...findPasswordProblems(values, before, rule, self),
          ...(findInvalidDay(values.shifts) && { shifts: { kind: 'Invalid' as const } }),
        })}
        fieldByErrorCode={{
          ERR_EMAIL_ALREADY_EXISTS: 'email',
          ERR_LAST_ADMIN: 'profile',
          ERR_CURRENT_PASSWORD: 'currentPassword',
        }}
        confirmSave={async ({ active }, before) =>
          !before?.active || active || confirmDeactivation(before, companyId === undefined)
        }
        write={async (values, before) => {
          const { invitation, ...user } = await writeRecord(usersApi, toUserBody(values, companyId), before)
          if (invitation) invitationText(user, invitation)
          return user
        }}
      />
      {link.url && (
        <Suspense fallback={null}>
          <InvitationLinkDialog {...link} onClose={() => setLink({ ...link, opened: false })} />
        </Suspense>
      )}
    </>
  )
}

const timeZoneOptions = (own: string | null) => listTimeZones(own).map((zone) => ({ value: zone, label: zone }))

type Credentials = Pick<Values, 'email' | 'password' | 'currentPassword'>
/** Whether the login credentials would change. */
export const hasCredentialChanges = ({ email, password }: Credentials, row: Pick<User, 'email'> | null): boolean =>
  Boolean(row && (password || email.trim().toLowerCase() !== row.email.toLowerCase()))

/** A new password must satisfy the rule, and users who change their own password must enter the current one. */
export function findPasswordProblems(
  values: Credentials,
  row: Pick<User, 'email'> | null,
  rule: PasswordRule,
  self: boolean,
): Record<string, FieldProblemDetail> {
  const problem = values.password ? findPasswordProblem(values.password, rule) : null
  const unproven = self && hasCredentialChanges(values, row) && !values.currentPassword
  const { min, max } = passwordRules[rule]
  const limit = { 'Too Short!': { limit: min }, 'Too Long!': { limit: max } }[problem as string]
  return {
    ...(problem && { password: { kind: problem, ...limit, of: 'text' as const } }),
    ...(unproven && { currentPassword: { kind: 'Required' as const } }),
  }
}

/** Queues and lines of the user's own company as options. In another company its own admins assign them. */
function useQueueAndLineOptions(wanted: boolean) {
  const queues = useQueues(wanted)
  const lines = useQuery({
    queryKey: ['lines', 'all'],
    queryFn: () => callApi(connectionsApi.list),
    enabled: wanted,
    ...refetchOnOpen,
  })
  const options = (rows: { id: number; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const isLoaded = !wanted || !queues.isPending
  return { isNeeded: wanted, isLoaded, queues: options(queues.data), lines: options(lines.data) }
}

/**
 * The request body. Admins work in every queue; their earlier queue assignments are kept in case they stop being
 * admins.
 */
function toUserBody(
  { queueIds, whatsappId, timeZone, skillIds, shifts, invitation: _, visibility: __, ...values }: Values,
  companyId?: number,
) {
  const own = companyId === undefined
  return {
    ...values,
    timeZone: timeZone ?? '',
    allTicket: values.allTicket ? ('enabled' as const) : ('desabled' as const),
    ...(own && { skillIds, shifts, whatsappId: whatsappId ? Number(whatsappId) : null }),
    ...(own && !canSeeAllTickets(values) && { queueIds: queueIds.map(Number) }),
    ...(!own && { companyId }),
  }
}
