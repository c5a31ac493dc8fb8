import { Button } from '@mantine/core'
import { topics } from '@recado/contract/live'
import type { Ticket } from '@recado/contract/tickets'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useLiveTopic } from '../../../lib/live.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Sheet, SheetFooter } from '../../../ui/sheet.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { useTicketActions } from '../../ticket/ticket-actions.ts'
import { Thread } from '../thread/thread.tsx'
import classes from './dialogs.module.css'
import { ticketDialogTexts } from './texts.ts'

type Props = { ticket: Ticket; opened: boolean; onClose: () => void }

/** Previews a ticket: no message is marked as read, and nothing can be written. */
export function PeekDialog({ ticket: first, opened, onClose }: Props) {
  const words = useTexts(ticketDialogTexts)
  const phone = useIsPhone()
  const navigate = useNavigate()
  const actions = useTicketActions()
  const [ticket, setTicket] = useState(first)
  useLiveTopic(topics.ticket, (payload) => {
    if ('ticket' in payload && payload.ticket.id === first.id) setTicket(payload.ticket)
  })
  const openTicket = () => {
    onClose()
    if (ticket.status === 'pending') void actions.accept(ticket)
    else void navigate({ href: `/tickets/${ticket.uuid}` })
  }
  const resolve = () => {
    onClose()
    void actions.resolve(ticket)
  }
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      size={640}
      title={
        <span className={classes.peekHead}>
          <span className={classes.peekName}>{ticket.contact.name}</span>
          <Chip>{words.readOnly}</Chip>
        </span>
      }
    >
      <div className={classes.peekBody} data-full={phone || undefined}>
        <Thread ticket={ticket} readOnly messageId={first.hit?.messageId} />
      </div>
      <SheetFooter>
        {ticket.status === 'pending' && (
          <Button variant="default" onClick={resolve}>
            {words.resolve}
          </Button>
        )}
        <Button data-autofocus onClick={openTicket}>
          {ticket.status === 'pending' ? words.accept : words.open}
        </Button>
      </SheetFooter>
    </Sheet>
  )
}
