import { Button, TextInput } from '@mantine/core'
import { fold } from '@recado/contract/text/fold'
import { type GroupMember, ticketsApi } from '@recado/contract/tickets'
import { IconDeviceMobile, IconSearch, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, callApi } from '../../../lib/api.ts'
import { formatNumber as figure } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ContactAvatar } from '../../../parts/contact-avatar.tsx'
import { formatPhoneNumber } from '../../../parts/phone-number.ts'
import { Chip } from '../../../ui/chip.tsx'
import classes from './contact-drawer.module.css'
import { DrawerSection } from './drawer-section.tsx'
import { texts } from './texts.ts'

/** Up to this many members are listed at once; longer lists have a search. */
const maxShownMembers = 8
/** The line caches group members: another request is cheap, but must not delay every opening. */
const membersStaleMs = 60_000

/** The members of the group, admins first. */
export function MembersSection({ ticketId }: { ticketId: number }) {
  const words = useTexts(texts)
  const [showsAll, setShowsAll] = useState(false)
  const [search, setSearch] = useState('')
  const query = useQuery({
    queryKey: ['ticket-members', ticketId],
    queryFn: ({ signal }) => callApi(ticketsApi.members, { params: { id: ticketId } }, { signal }),
    staleTime: membersStaleMs,
  })
  const isDown = query.error instanceof ApiError && query.error.code === 'ERR_WAPP_NOT_INITIALIZED'
  const members = (query.data ?? []).toSorted(compareMembers)
  const matching = members.filter((one) => matchesSearch(one, search))
  const visibleMembers = showsAll || search ? matching : matching.slice(0, maxShownMembers)
  return (
    <DrawerSection
      title={words.members}
      count={members.length}
      state={query}
      emptyText={members.length === 0 && words.noMembers}
      failureText={isDown ? words.lineDown : undefined}
    >
      {members.length > maxShownMembers && (
        <TextInput
          className={classes.find ?? ''}
          type="search"
          aria-label={words.findMember}
          placeholder={words.findMember}
          leftSection={<IconSearch size={14} stroke={1.75} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {matching.length === 0 && <p className={classes.empty}>{words.noMemberFound}</p>}
      <ul className={classes.members}>
        {visibleMembers.map((one, i) => (
          // Members with a hidden number have no id, so their index is the key.
          <MemberRow key={one.number || i} member={one} />
        ))}
      </ul>
      {visibleMembers.length < matching.length && (
        <Button
          className={classes.more ?? ''}
          size="xs"
          variant="subtle"
          color="gray"
          onClick={() => setShowsAll(true)}
        >
          {words.allMembers(figure(matching.length))}
        </Button>
      )}
    </DrawerSection>
  )
}

function MemberRow({ member }: { member: GroupMember }) {
  const words = useTexts(texts)
  const { contactId, profilePicUrl, isAdmin, isMe } = member
  const dialled = member.number && formatPhoneNumber(member.number)
  const name = isMe ? words.thisLine : member.name || dialled || words.unknownMember
  return (
    <li className={classes.member}>
      {member.name && !isMe ? (
        <ContactAvatar contact={{ id: contactId ?? 0, name: member.name, profilePicUrl }} size={32} />
      ) : (
        <span className={classes.nobody} aria-hidden="true">
          {isMe ? <IconDeviceMobile size={16} stroke={1.75} /> : <IconUser size={16} stroke={1.75} />}
        </span>
      )}
      <span className={classes.who}>
        <b title={name}>{name}</b>
        {dialled && dialled !== name && <small>{dialled}</small>}
      </span>
      {isAdmin && <Chip>{words.admin}</Chip>}
    </li>
  )
}

/** Admins first, then members with a name, then by number; the line itself last. */
function compareMembers(a: GroupMember, b: GroupMember): number {
  const rank = (one: GroupMember) => (one.isMe ? 3 : one.isAdmin ? 0 : one.name ? 1 : 2)
  return rank(a) - rank(b) || a.name.localeCompare(b.name) || a.number.localeCompare(b.number)
}

function matchesSearch({ name, number }: GroupMember, search: string): boolean {
  const digits = search.replace(/\D/g, '')
  return fold(name).includes(fold(search.trim())) || (digits.length > 2 && number.includes(digits))
}
