import { contactsApi } from '@recado/contract/contacts'
import { isSearchMatch } from '@recado/contract/text/people-search'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'

/** A recipient: an open conversation or a contact. */
export type ForwardTarget = {
  key: string
  ticketId: number | null
  contact: { id: number; name: string; number: string; profilePicUrl: string | null }
  isGroup: boolean
  /** A subtitle that distinguishes the recipient from another with the same name. */
  line: string
}

/** Spec, section 5: people are searched from the third letter on. */
const minSearchLength = 3

/** The user's open conversations except the current one, and people once the user has typed a search. */
export function useForwardTargets(from: Ticket, search: string) {
  const open = useQuery({
    queryKey: ['forward', 'open'],
    queryFn: ({ signal }) => callApi(ticketsApi.list, { query: { status: 'open', pageNumber: 1 } }, { signal }),
    staleTime: 0,
  })
  const asks = search.length >= minSearchLength
  const people = useQuery({
    queryKey: ['contacts', 'search', search],
    queryFn: ({ signal }) => callApi(contactsApi.list, { query: { searchParam: search, pageNumber: 1 } }, { signal }),
    enabled: asks,
    staleTime: 0,
  })
  const tickets = (open.data?.tickets ?? [])
    .filter((ticket) => ticket.id !== from.id && (search === '' || isSearchMatch(ticket.contact, search)))
    .map((ticket): ForwardTarget => {
      const { id, contact, isGroup, queue, whatsapp } = ticket
      const line = [queue?.name, whatsapp?.name].filter(Boolean).join(' · ')
      return { key: `t${id}`, ticketId: id, contact, isGroup, line }
    })
  const taken = new Set([from.contactId, ...tickets.map((one) => one.contact.id)])
  const contacts = (asks ? (people.data?.contacts ?? []) : [])
    .filter((one) => !taken.has(one.id))
    .map(
      (one): ForwardTarget => ({
        key: `c${one.id}`,
        ticketId: null,
        contact: one,
        isGroup: one.isGroup,
        line: one.number,
      }),
    )
  return {
    tickets,
    contacts,
    isBusy: open.isPending || (asks && people.isPending),
    error: open.error ?? (asks ? people.error : null),
    retry: () => void Promise.all([open.refetch(), asks && people.refetch()]),
  }
}
