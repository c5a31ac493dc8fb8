import { invitationValidDays, type User, usersApi } from '@recado/contract/users'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { IconLock, IconLockOpen, IconMailForward, IconUsers } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { confirmDeactivation, describeUserRemoval } from '../../parts/confirm-deactivation.ts'
import { Presence } from '../../parts/presence.tsx'
import { userTexts } from '../../parts/user-texts.ts'
import { ClippedText, MutedText, NameWithMark } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { recordSourceOf } from '../../records/use-records.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { BulkInviteButton } from './bulk-invite-button.tsx'
import classes from './users.module.css'

const loadForm = () => import('../../parts/user-form.tsx').then((module) => ({ default: module.UserForm }))
const UserForm = lazy(loadForm)

const InvitationLinkDialog = lazy(() =>
  import('../../parts/invitation-link-dialog.tsx').then((module) => ({ default: module.InvitationLinkDialog })),
)

const source = recordSourceOf(usersApi)

const renderAvatar = ({ id, name }: User, size: number) => <PersonAvatar id={id} name={name} size={size} />

export function UsersPage() {
  const words = useTexts(userTexts)
  const { user: me } = useSession()
  const mayManage = useCan()('users-page:manage')
  const phone = useIsPhone()
  const columns: TableColumn<User>[] = [
    { key: 'id', head: 'Id', width: 76, isLowPriority: true, cell: (user) => <MutedText>{user.id}</MutedText> },
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: (user) => <NameWithMark mark={!phone && renderAvatar(user, 28)}>{user.name}</NameWithMark>,
    },
    { key: 'email', head: words.email, card: 'line', cell: (user) => <ClippedText>{user.email}</ClippedText> },
    { key: 'profile', head: words.profile, width: 150, cell: (user) => words[user.profile] },
    {
      key: 'queues',
      head: words.queues,
      cell: (user) => <UserQueues user={user} />,
    },
    { key: 'status', head: words.status, width: 150, card: 'end', cell: (user) => <Presence user={user} /> },
  ]
  // Only a super user may change another super user, and users cannot delete themselves.
  const mayTouch = (user: User) => mayManage && (!user.super || me?.super === true)
  const [link, setLink] = useState<{ name: string; url: string } | null>(null)
  /** Mails another invitation, or shows its link if the server sends no mail. */
  const inviteAgain = (user: User) =>
    callApi(usersApi.invite, { params: { id: user.id } }).then(
      ({ url }) =>
        url === null
          ? toast.ok(words.inviteSent, words.inviteSentLine(user.email, invitationValidDays))
          : setLink({ name: user.name, url }),
      toast.error,
    )
  // The list shows the change when its live update arrives.
  const setActive = ({ id, name, email, profile, allTicket }: User, active: boolean) =>
    callApi(usersApi.update, { params: { id }, body: { name, email, profile, allTicket, active } }).then(
      () => toast.ok(active ? words.reactivated : words.deactivated, name),
      toast.error,
    )
  const deactivate = async (user: User) => {
    if (await confirmDeactivation(user)) await setActive(user, false)
  }
  return (
    <>
      <RecordsPage
        source={source}
        words={words.words}
        columns={columns}
        nameOf={(user) => user.name}
        icon={<IconUsers size={26} stroke={1.6} />}
        form={(slot) => <UserForm {...slot} />}
        loadForm={loadForm}
        remove={(user) => callApi(usersApi.remove, { params: { id: user.id } })}
        consequence={describeUserRemoval}
        mark={(user) => renderAvatar(user, 36)}
        extraActions={() => mayManage && <BulkInviteButton />}
        actions={[
          {
            key: 'invite',
            label: words.inviteAgain,
            icon: <IconMailForward size={16} stroke={1.75} />,
            isOffered: (user) => user.invited && user.active && mayTouch(user),
            run: (user) => void inviteAgain(user),
          },
          {
            key: 'deactivate',
            label: words.deactivate,
            icon: <IconLock size={16} stroke={1.75} />,
            isOffered: (user) => user.active && mayTouch(user) && user.id !== me?.id,
            run: (user) => void deactivate(user).catch(toast.error),
          },
          {
            key: 'reactivate',
            label: words.reactivate,
            icon: <IconLockOpen size={16} stroke={1.75} />,
            isOffered: (user) => !user.active && mayTouch(user),
            run: (user) => void setActive(user, true),
          },
        ]}
        permissions={{ create: mayManage, edit: mayTouch, remove: (user) => mayTouch(user) && user.id !== me?.id }}
      />
      {link && (
        <Suspense fallback={null}>
          <InvitationLinkDialog {...link} opened onClose={() => setLink(null)} />
        </Suspense>
      )}
    </>
  )
}

/** The queues of a user, with the colours that tickets have in the lists. */
function UserQueues({ user }: { user: User }) {
  const words = useTexts(userTexts)
  if (canSeeAllTickets(user)) return <MutedText>{words.allQueues}</MutedText>
  if (user.queues.length === 0) return <span className={classes.none}>{words.noQueues}</span>
  return (
    <span className={classes.queues} title={user.queues.map((queue) => queue.name).join(', ')}>
      {user.queues.map((queue) => (
        <span key={queue.id} className={classes.queue}>
          <ColorDot color={queue.color} size={10} />
          {queue.name}
        </span>
      ))}
    </span>
  )
}
