import { ActionIcon, Button, Menu, TextInput, Tooltip } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import type { SandboxCustomer } from '@recado/contract/sandbox'
import { fold } from '@recado/contract/text/fold'
import { IconSearch, IconUser, IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { useCreateTestCustomers } from '../../../parts/line/test-line.ts'
import { stripFormatting } from '../../../parts/message/body/rich-text.ts'
import { CountBadge } from '../../../ui/count-badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import page from '../phone-page.module.css'
import { texts } from '../texts.ts'
import classes from './customers.module.css'

const NewCustomerDialog = lazy(() =>
  import('./new-customer-dialog.tsx').then((module) => ({ default: module.NewCustomerDialog })),
)

type Props = {
  line: Connection
  query: UseQueryResult<SandboxCustomer[]>
  selectedNumber: string | undefined
  onSelect: (number: string) => void
  children: ReactNode
}

/** All customers of this line, and below them the line itself. */
export function CustomersPanel({ line, query, selectedNumber, onSelect, children }: Props) {
  const words = useTexts(texts)
  const [search, setSearch] = useState('')
  const [making, setMaking] = useState({ what: 'person' as 'person' | 'group', opened: false, times: 0 })
  const make = (what: 'person' | 'group') => setMaking(({ times }) => ({ what, opened: true, times: times + 1 }))
  const everybody = query.data ?? []
  const write = useCreateTestCustomers()
  const [isCreating, setIsCreating] = useState(false)
  const createSamples = async () => {
    setIsCreating(true)
    await write(line).catch(toast.error)
    await query.refetch()
    setIsCreating(false)
  }
  return (
    <section className={page.card} aria-label={words.people}>
      <div className={page.cardHead}>
        <h2 className={page.cardTitle}>{words.people}</h2>
        <AddCustomerMenu onCreate={make} canCreateGroup={everybody.length > 0} />
      </div>
      {everybody.length > 3 && (
        <TextInput
          className={classes.search ?? ''}
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<IconSearch size={16} stroke={1.75} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <div className={`${page.scroll} ${classes.people}`}>
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {query.isSuccess && everybody.length === 0 && (
          <EmptyState title={words.nobody} line={words.nobodyLine}>
            <Button loading={isCreating} onClick={() => void createSamples()}>
              {words.someCustomers}
            </Button>
            <Button variant="light" onClick={() => make('person')}>
              {words.newPerson}
            </Button>
          </EmptyState>
        )}
        <CustomerList
          people={everybody.filter((one) => matchesSearch(one, search))}
          {...{ search, selectedNumber: selectedNumber, onSelect: onSelect }}
        />
      </div>
      <div className={`${page.scroll} ${classes.below}`}>{children}</div>
      {making.times > 0 && (
        <Suspense fallback={null}>
          <NewCustomerDialog
            key={making.times}
            line={line}
            kind={making.what}
            people={everybody.filter((one) => !one.isGroup)}
            opened={making.opened}
            onClose={() => setMaking({ ...making, opened: false })}
            onCreated={onSelect}
          />
        </Suspense>
      )}
    </section>
  )
}

const matchesSearch = ({ name, number }: SandboxCustomer, search: string) =>
  fold(name).includes(fold(search.trim())) || number.includes(search.trim())

type ListProps = Pick<Props, 'selectedNumber' | 'onSelect'> & { people: SandboxCustomer[]; search: string }
function CustomerList({ people, search, selectedNumber, onSelect }: ListProps) {
  const words = useTexts(texts)
  const selectedRef = useRef<HTMLButtonElement>(null)
  const isSelectedListed = people.some((one) => one.number === selectedNumber)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newly selected customer comes into view, once it is listed.
  useEffect(() => {
    selectedRef.current?.scrollIntoView({ block: 'nearest' })
  }, [selectedNumber, isSelectedListed])
  if (people.length === 0 && search) return <p className={classes.nobody}>{words.nobodyFound}</p>
  return (
    <ul className={classes.list}>
      {people.map((one) => (
        <li key={one.number}>
          <button
            type="button"
            ref={one.number === selectedNumber ? selectedRef : null}
            className={classes.person}
            data-chosen={one.number === selectedNumber || undefined}
            aria-current={one.number === selectedNumber || undefined}
            onClick={() => onSelect(one.number)}
          >
            <PersonAvatar id={avatarSeed(one.number)} name={one.name} size={34} />
            <span className={classes.words}>
              <span className={classes.name}>{one.name}</span>
              <span className={classes.last}>{one.typing ? words.typing : lastMessageText(one, words)}</span>
            </span>
            {one.unread > 0 && (
              <span role="img" aria-label={words.unread(one.unread)}>
                <CountBadge value={one.unread} kind="accent" />
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  )
}

export const avatarSeed = (number: string): number => Number(number.slice(-3)) || 0

/** A message without text is shown by its kind. */
const lastMessageText = ({ last }: SandboxCustomer, words: { noMessages: string; kinds: Record<string, string> }) =>
  last === '' ? words.noMessages : Object.hasOwn(words.kinds, last) ? words.kinds[last] : stripFormatting(last)

function AddCustomerMenu({
  onCreate,
  canCreateGroup,
}: {
  onCreate: (what: 'person' | 'group') => void
  canCreateGroup: boolean
}) {
  const words = useTexts(texts)
  const icon = { size: 16, stroke: 1.75 }
  return (
    <Menu position="bottom-end">
      <Tooltip label={words.addPeople}>
        <span>
          <Menu.Target>
            <ActionIcon size={28} className={classes.add ?? ''} aria-label={words.addPeople}>
              <IconUserPlus size={18} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
        </span>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUser {...icon} />} onClick={() => onCreate('person')}>
          {words.newPerson}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUsersGroup {...icon} />}
          disabled={!canCreateGroup}
          onClick={() => onCreate('group')}
        >
          {words.newGroup}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
