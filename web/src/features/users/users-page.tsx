import { type User, usersApi } from '@recado/contract/users'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { IconUsers } from '@tabler/icons-react'
import { lazy } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { Presence } from '../../parts/presence.tsx'
import { userTexts } from '../../parts/user-texts.ts'
import { ClippedText, MutedText, NameWithMark } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { recordSourceOf } from '../../records/use-records.ts'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'

const loadForm = () => import('../../parts/user-form.tsx').then((module) => ({ default: module.UserForm }))
const UserForm = lazy(loadForm)

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
      isLowPriority: true,
      cell: (user) => {
        if (canSeeAllTickets(user)) return <MutedText>{words.allQueues}</MutedText>
        if (user.queues.length === 0) return <MutedText>{words.noQueues}</MutedText>
        return <ClippedText>{user.queues.map((queue) => queue.name).join(', ')}</ClippedText>
      },
    },
    { key: 'status', head: words.status, width: 150, card: 'end', cell: (user) => <Presence user={user} /> },
  ]
  // Only a super user may change another super user, and users cannot delete themselves.
  const mayTouch = (user: User) => mayManage && (!user.super || me?.super === true)
  return (
    <RecordsPage
      source={source}
      words={words.words}
      columns={columns}
      nameOf={(user) => user.name}
      icon={<IconUsers size={26} stroke={1.6} />}
      form={(slot) => <UserForm {...slot} />}
      loadForm={loadForm}
      remove={(user) => callApi(usersApi.remove, { params: { id: user.id } })}
      consequence={() => words.consequence}
      mark={(user) => renderAvatar(user, 36)}
      permissions={{ create: mayManage, edit: mayTouch, remove: (user) => mayTouch(user) && user.id !== me?.id }}
    />
  )
}
