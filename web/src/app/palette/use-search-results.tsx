import { useDebouncedValue } from '@mantine/hooks'
import { chatsApi } from '@recado/contract/chats'
import { contactsApi } from '@recado/contract/contacts'
import { ticketsApi } from '@recado/contract/tickets'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { callApi } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { ChatAvatar } from '../../parts/chats/chat-row.tsx'
import { ContactAvatar } from '../../parts/contact-avatar.tsx'
import { formatPhoneNumber } from '../../parts/phone-number.ts'
import { changeTicketView } from '../../parts/ticket/ticket-view.ts'
import type { PaletteGroup } from './entries.ts'
import { openNewTicket } from './overlay-state.ts'
import { paletteTexts } from './texts.ts'

/** One letter would match nearly everything. */
const minQueryLength = 2
const searchDelayMs = 200
const maxResultsPerGroup = { tickets: 6, contacts: 5, chats: 4 }

type SearchResults = { groups: PaletteGroup[]; isSearching: boolean; hasFailed: boolean }

/** Tickets and people by name, number or message text, searched on the server. */
export function useSearchResults(typed: string): SearchResults {
  const searchText = typed.trim().toLowerCase()
  const [query] = useDebouncedValue(searchText, searchDelayMs)
  const enough = searchText.length >= minQueryLength
  const shared = {
    enabled: enough && query.length >= minQueryLength,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: 1,
  }
  const tickets = useQuery({
    queryKey: ['palette', 'tickets', query],
    queryFn: ({ signal }) => callApi(ticketsApi.list, { query: { searchParam: query, showAll: true } }, { signal }),
    ...shared,
  })
  const contacts = useQuery({
    queryKey: ['palette', 'contacts', query],
    queryFn: ({ signal }) => callApi(contactsApi.list, { query: { searchParam: query } }, { signal }),
    ...shared,
  })
  const { plan } = useSession()
  const hasChats = plan?.useInternalChat === true
  const chats = useQuery({
    queryKey: ['palette', 'chats', query],
    queryFn: ({ signal }) => callApi(chatsApi.list, { query: { searchParam: query } }, { signal }),
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
    isSearching: enough && (query !== searchText || tickets.isFetching || contacts.isFetching || chats.isFetching),
    hasFailed: enough && (tickets.isError || contacts.isError),
  }
}

type Chats = Awaited<ReturnType<typeof callApi<typeof chatsApi.list>>>['records']
type Tickets = Awaited<ReturnType<typeof callApi<typeof ticketsApi.list>>>['tickets']
type Contacts = Awaited<ReturnType<typeof callApi<typeof contactsApi.list>>>['contacts']

function useTickets(ticketsQuery: Tickets, search: string): PaletteGroup {
  const words = useTexts(paletteTexts)
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  const entries: PaletteGroup['entries'] = ticketsQuery.slice(0, maxResultsPerGroup.tickets).map((ticket) => ({
    id: `ticket-${ticket.id}`,
    label: ticket.contact.name || formatPhoneNumber(ticket.contact.number),
    icon: <ContactAvatar contact={ticket.contact} size={22} isGroup={ticket.isGroup} />,
    aside: `#${formatNumber(ticket.number)} · ${words.statuses[ticket.status]}`,
    run: () => {
      const where =
        ticket.status === 'closed' ? ({ tab: 'closed' } as const) : ({ tab: 'open', sub: ticket.status } as const)
      changeTicketView(me, { ...where, search: '', viewId: null })
      void navigate({ href: `/tickets/${ticket.uuid}` })
    },
  }))
  if (ticketsQuery.length > maxResultsPerGroup.tickets)
    entries.push({
      id: 'tickets-all',
      label: words.allTickets,
      icon: <IconSearch size={18} stroke={1.75} />,
      run: () => {
        changeTicketView(me, { tab: 'search', search, queueIds: null, tags: [], users: [] })
        void navigate({ href: '/tickets' })
      },
    })
  return { name: words.tickets, entries }
}

function useTeam(ticketsQuery: Chats): PaletteGroup {
  const words = useTexts(paletteTexts)
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  return {
    name: words.chats,
    entries: ticketsQuery.slice(0, maxResultsPerGroup.chats).map((chat) => ({
      id: `chat-${chat.id}`,
      label: chat.title,
      icon: <ChatAvatar chat={chat} ownId={me} size={22} />,
      run: () => void navigate({ href: `/chats/${chat.uuid}` }),
    })),
  }
}

function useContacts(ticketsQuery: Contacts): PaletteGroup {
  const words = useTexts(paletteTexts)
  return {
    name: words.contacts,
    entries: ticketsQuery.slice(0, maxResultsPerGroup.contacts).map((contact) => ({
      id: `contact-${contact.id}`,
      label: contact.name || formatPhoneNumber(contact.number),
      icon: <ContactAvatar contact={contact} size={22} isGroup={contact.isGroup} />,
      aside: contact.isGroup ? '' : formatPhoneNumber(contact.number),
      run: () => openNewTicket({ id: contact.id, name: contact.name, number: contact.number }),
    })),
  }
}
