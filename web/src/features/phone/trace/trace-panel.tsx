import { Button } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import type { SandboxCustomer } from '@recado/contract/sandbox'
import type { TicketEvent } from '@recado/contract/tickets'
import { IconDeviceMobile } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import page from '../phone-page.module.css'
import { texts } from '../texts.ts'
import classes from './trace.module.css'
import { TraceList } from './trace-list.tsx'
import { findLastTicketId, useTicketPath } from './use-ticket-path.ts'

type Props = {
  line: Connection
  person: SandboxCustomer | undefined
  query: UseQueryResult<TicketEvent[]>
  onBack: () => void
}

/** The server's steps for this customer, with their reasons. */
export function TracePanel({ line, person, query, onBack }: Props) {
  const words = useTexts(texts)
  const ticket = findLastTicketId(query.data)
  return (
    <section className={page.card} aria-label={words.inside}>
      <div className={`${page.cardHead} ${classes.head}`}>
        <h2 className={page.cardTitle}>{words.inside}</h2>
        {ticket !== undefined && <TicketLink id={ticket} />}
        <Button
          className={page.step ?? ''}
          variant="default"
          size="xs"
          leftSection={<IconDeviceMobile size={15} stroke={1.75} />}
          aria-label={words.toPhone}
          onClick={onBack}
        >
          {words.phone}
        </Button>
      </div>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {person && query.data && query.data.length > 0 && (
        <TraceList key={person.number} line={line} person={person} events={query.data} />
      )}
      {(!person || query.data?.length === 0) && <EmptyState title={words.nothingYet} line={words.nothingYetLine} />}
    </section>
  )
}

function TicketLink({ id }: { id: number }) {
  const words = useTexts(texts)
  const ticket = useTicketPath(id)
  return (
    <Link to={ticket.path} className={classes.ticket ?? ''}>
      {ticket.number === null ? words.seeTicket : words.ticket(formatNumber(ticket.number))}
    </Link>
  )
}
