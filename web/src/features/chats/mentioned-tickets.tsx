import { type ChatMessage, chatsApi, findTicketNumbers, type MentionedTicket } from '@recado/contract/chats'
import { IconArrowUpRight } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatTime } from '../../lib/format.ts'
import { ContactAvatar } from '../../parts/contact-avatar.tsx'
import classes from './chats.module.css'

export type MentionedTickets = ReadonlyMap<number, MentionedTicket>

const maxMentionedTickets = 100

/** Mentioned tickets that this user may see; other tickets are not loaded. */
export function useMentionedTickets(messages: ChatMessage[]): MentionedTickets {
  const numbers = [...new Set(messages.flatMap((one) => findTicketNumbers(one.message)))]
    .slice(-maxMentionedTickets)
    .sort((a, b) => a - b)
  const { data } = useQuery({
    queryKey: ['chat-tickets', numbers.join()],
    queryFn: () => callApi(chatsApi.tickets, { query: { numbers: numbers.join() } }),
    enabled: numbers.length > 0,
    placeholderData: keepPreviousData,
  })
  return new Map((data ?? []).map((ticket) => [ticket.number, ticket]))
}

export function MentionedTicketCards({
  numbers,
  tickets,
  isOwn,
}: {
  numbers: number[]
  tickets: MentionedTickets
  isOwn: boolean
}) {
  return numbers.map((number) => {
    const ticket = tickets.get(number)
    if (!ticket) return null
    const style = ticket.queue ? ({ '--queue': ticket.queue.color } as CSSProperties) : undefined
    return (
      <Link
        key={number}
        to={`/tickets/${ticket.uuid}`}
        className={classes.card ?? ''}
        data-out={isOwn || undefined}
        {...(style && { style })}
      >
        <ContactAvatar contact={{ ...ticket.contact, id: ticket.id }} size={32} />
        <span style={{ flex: 1, minWidth: 0 }}>
          <b>
            {ticket.contact.name} #{number}
          </b>
          <small>
            {[ticket.queue?.name, ticket.user?.name, formatTime(ticket.updatedAt)].filter(Boolean).join(' · ')}
          </small>
        </span>
        <IconArrowUpRight size={18} stroke={1.75} aria-hidden="true" />
      </Link>
    )
  })
}
