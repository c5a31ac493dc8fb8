import { contactsApi, type PastTicket } from '@recado/contract/contacts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callApi } from '../../../lib/api.ts'
import { formatDay, formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import classes from './contact-drawer.module.css'
import { DrawerSection, LoadMoreButton } from './drawer-section.tsx'
import { texts } from './texts.ts'

type Props = { contactId: number; ticketId: number; onNavigate: () => void }

/** Other conversations with this contact that the user may see. */
export function PastTicketsSection({ contactId, ticketId, onNavigate }: Props) {
  const words = useTexts(texts)
  const query = useInfiniteQuery({
    queryKey: ['contact-tickets', contactId],
    queryFn: ({ pageParam, signal }) =>
      callApi(contactsApi.tickets, { params: { id: contactId }, query: { pageNumber: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.hasMore ? pages.length + 1 : undefined),
  })
  const others = query.data?.pages.flatMap((page) => page.tickets).filter(({ id }) => id !== ticketId) ?? []
  return (
    <DrawerSection
      title={words.past}
      state={query}
      emptyText={others.length === 0 && !query.hasNextPage && words.noPast}
    >
      <ul className={classes.past}>
        {others.map((ticket) => (
          <li key={ticket.id}>
            <PastTicketLink ticket={ticket} onNavigate={onNavigate} />
          </li>
        ))}
      </ul>
      <LoadMoreButton query={query} />
    </DrawerSection>
  )
}

function PastTicketLink({ ticket, onNavigate }: { ticket: PastTicket; onNavigate: () => void }) {
  const words = useTexts(texts)
  const { queue, user, status } = ticket
  return (
    <Link to={`/tickets/${ticket.uuid}`} className={classes.ticket} onClick={onNavigate} title={user?.name}>
      <ColorDot color={queue?.color} size={9} />
      <span className={classes.queue}>{queue?.name ?? words.noQueue}</span>
      <span className={classes.ticketId}>#{formatNumber(ticket.number)}</span>
      <span className={classes.when}>{status === 'closed' ? formatDay(ticket.updatedAt) : words.status[status]}</span>
    </Link>
  )
}
