import { ActionIcon, Loader, Modal, Tooltip } from '@mantine/core'
import type { Company } from '@recado/contract/companies'
import { type User, usersApi } from '@recado/contract/users'
import { IconPencil } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { updateCachedQuery } from '../../lib/query-cache.ts'
import { useTexts } from '../../lib/texts.ts'
import { Presence } from '../../parts/presence.tsx'
import { UserForm } from '../../parts/user-form.tsx'
import { userTexts } from '../../parts/user-texts.ts'
import { ClippedText, TwoLineCell } from '../../records/cells.tsx'
import { recordTexts } from '../../records/texts.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { companyTexts } from './company-texts.ts'
import classes from './company-users.module.css'

type Props = { company: Company | null; opened: boolean; onClose: () => void }

/** The users of one company, for the super user who helps them log in. */
export function CompanyUsers({ company, opened, onClose }: Props) {
  const words = useTexts(companyTexts)
  const common = useTexts(recordTexts)
  const phone = useIsPhone()
  const client = useQueryClient()
  const [form, setForm] = useState<{ row: User | null; opened: boolean; used: number }>({
    row: null,
    opened: false,
    used: 0,
  })
  const id = company?.id ?? 0
  const key = ['company-users', id]
  return (
    <>
      <Modal
        opened={opened}
        onClose={onClose}
        // While the user form is open above, Escape closes that form first.
        closeOnEscape={!form.opened}
        size={560}
        fullScreen={phone}
        title={company && words.usersOf(company.name)}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        {company && (
          <CompanyUserList
            queryKey={key}
            companyId={id}
            onEdit={(row) => setForm(({ used }) => ({ row, opened: true, used: used + 1 }))}
          />
        )}
      </Modal>
      {form.used > 0 && (
        <UserForm
          key={form.used}
          row={form.row}
          opened={form.opened}
          companyId={id}
          onClose={() => setForm((before) => ({ ...before, opened: false }))}
          onSaved={(saved) =>
            updateCachedQuery<User[]>(client, key, (all) => all.map((user) => (user.id === saved.id ? saved : user)))
          }
        />
      )}
    </>
  )
}

type PeopleProps = { queryKey: unknown[]; companyId: number; onEdit: (user: User) => void }
function CompanyUserList({ queryKey, companyId, onEdit }: PeopleProps) {
  const words = useTexts(companyTexts)
  const common = useTexts(recordTexts)
  const users = useTexts(userTexts)
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(usersApi.everyone, { query: { companyId } }, { signal }),
    staleTime: 0,
  })
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) {
    return (
      <div className={classes.wait}>
        <Loader size={20} aria-label={common.loading} />
      </div>
    )
  }
  if (query.data.length === 0) return <p className={classes.wait}>{words.noUsers}</p>
  return (
    <ul className={classes.list}>
      {query.data.map((user) => (
        <li key={user.id} className={classes.person}>
          <PersonAvatar id={user.id} name={user.name} size={32} />
          <span className={classes.words}>
            <TwoLineCell
              first={<ClippedText isStrong>{user.name}</ClippedText>}
              second={`${user.email} · ${user.super ? users.super : users[user.profile]}`}
            />
          </span>
          <Presence user={user} />
          <Tooltip label={common.edit}>
            <ActionIcon size={28} aria-label={common.editNamed(user.name)} onClick={() => onEdit(user)}>
              <IconPencil size={17} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </li>
      ))}
    </ul>
  )
}
