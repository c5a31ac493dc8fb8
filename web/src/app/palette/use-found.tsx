import { useDebouncedValue } from '@mantine/hooks'
import { chatsApi } from '@recado/contract/chats'
import { contactsApi } from '@recado/contract/contacts'
import { ticketsApi } from '@recado/contract/tickets'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/api.ts'
import { number, phoneNumber } from '../../lib/format.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { ChatAvatar } from '../../parts/chats/chat-row.tsx'
import { ContactAvatar } from '../../parts/contact-avatar.tsx'
import { lookAt } from '../../parts/ticket/view.ts'
import { openNewTicket } from './asked.ts'
import type { Group } from './entries.ts'
import { paletteTexts } from './texts.ts'

/** One letter finds everybody. */
const least = 2
const waitMs = 200
const most = { tickets: 6, contacts: 5, chats: 4 }

type Found = { groups: Group[]; searching: boolean; failed: boolean }

/** Tickets and people by name, number or what was said, as the server finds them. */
export function useFound(typed: string): Found {
  const wanted = typed.trim().toLowerCase()
  const [query] = useDebouncedValue(wanted, waitMs)
  const enough = wanted.length >= least
  const shared = {
    enabled: enough && query.length >= least,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: 1,
  }
  const tickets = useQuery({
    queryKey: ['palette', 'tickets', query],
    queryFn: ({ signal }) => call(ticketsApi.list, { query: { searchParam: query, showAll: true } }, { signal }),
    ...shared,
  })
  const contacts = useQuery({
    queryKey: ['palette', 'contacts', query],
    queryFn: ({ signal }) => call(contactsApi.list, { query: { searchParam: query } }, { signal }),
    ...shared,
  })
  const { plan } = useSession()
  const hasChats = plan?.useInternalChat === true
  const chats = useQuery({
    queryKey: ['palette', 'chats', query],
    queryFn: ({ signal }) => call(chatsApi.list, { query: { searchParam: query } }, { signal }),
    ...shared,
    enabled: shared.enabled && hasChats,
  })
  const groups = [
    useTickets(tickets.data?.tickets ?? [], query),
    useContacts(contacts.data?.contacts ?? []),
    useTeam(chats.data?.records ?? []),
  ]
  return {
    groups: enough ? groups.filter(({ entries }) => entries.length > 0) : [],
    searching: enough && (query !== wanted || tickets.isFetching || contacts.isFetching || chats.isFetching),
    failed: enough && (tickets.isError || contacts.isError),
  }
}

type Chats = Awaited<ReturnType<typeof call<typeof chatsApi.list>>>['records']
type Tickets = Awaited<ReturnType<typeof call<typeof ticketsApi.list>>>['tickets']
type Contacts = Awaited<ReturnType<typeof call<typeof contactsApi.list>>>['contacts']

function useTickets(found: Tickets, search: string): Group {
  const words = useTexts(paletteTexts)
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  const entries: Group['entries'] = found.slice(0, most.tickets).map((ticket) => ({
    id: `ticket-${ticket.id}`,
    label: ticket.contact.name || phoneNumber(ticket.contact.number),
    icon: <ContactAvatar contact={ticket.contact} size={22} isGroup={ticket.isGroup} />,
    aside: `#${number(ticket.number)} · ${words.statuses[ticket.status]}`,
    run: () => {
      const where =
        ticket.status === 'closed' ? ({ tab: 'closed' } as const) : ({ tab: 'open', sub: ticket.status } as const)
      lookAt(me, { ...where, search: '' })
      void navigate({ href: `/tickets/${ticket.uuid}` })
    },
  }))
  if (found.length > most.tickets)
    entries.push({
      id: 'tickets-all',
      label: words.allTickets,
      icon: <IconSearch size={18} stroke={1.75} />,
      run: () => {
        lookAt(me, { tab: 'search', search, queueIds: null, tags: [], users: [] })
        void navigate({ href: '/tickets' })
      },
    })
  return { name: words.tickets, entries }
}

function useTeam(found: Chats): Group {
  const words = useTexts(paletteTexts)
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  return {
    name: words.chats,
    entries: found.slice(0, most.chats).map((chat) => ({
      id: `chat-${chat.id}`,
      label: chat.title,
      icon: <ChatAvatar chat={chat} me={me} size={22} />,
      run: () => void navigate({ href: `/chats/${chat.uuid}` }),
    })),
  }
}

function useContacts(found: Contacts): Group {
  const words = useTexts(paletteTexts)
  return {
    name: words.contacts,
    entries: found.slice(0, most.contacts).map((contact) => ({
      id: `contact-${contact.id}`,
      label: contact.name || phoneNumber(contact.number),
      icon: <ContactAvatar contact={contact} size={22} isGroup={contact.isGroup} />,
      aside: contact.isGroup ? '' : phoneNumber(contact.number),
      run: () => openNewTicket({ id: contact.id, name: contact.name, number: contact.number }),
    })),
  }
}
