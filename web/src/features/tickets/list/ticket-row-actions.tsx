import type { Ticket } from '@recado/contract/tickets'
import { type Icon, IconArrowsExchange, IconCheck, IconEye, IconRotateClockwise2 } from '@tabler/icons-react'
import type { RowActionHandlers } from './row-action-handlers.ts'
import type { TicketListTexts } from './texts.ts'
import classes from './ticket-row.module.css'

type Props = { ticket: Ticket; isActive: boolean; actions: RowActionHandlers; words: TicketListTexts }

/** Actions at the right of the row under the pointer or focus; on touch screens, behind a swipe to the left. */
export function TicketRowActions({ ticket, isActive, actions, words }: Props) {
  const button = (label: string, ActionIcon: Icon, kind: string, act: (ticket: Ticket) => void) => (
    <button
      type="button"
      className={classes.action}
      data-kind={kind}
      title={label}
      aria-label={words.of(label, ticket.contact.name)}
      tabIndex={isActive ? 0 : -1}
      onClick={() => act(ticket)}
    >
      <ActionIcon size={16} stroke={1.75} aria-hidden="true" />
      <span className={classes.actionWord}>{label}</span>
    </button>
  )
  return (
    <div className={classes.actions} data-active={isActive || undefined}>
      {(ticket.status === 'pending' || actions.peeksAll) && button(words.peek, IconEye, 'plain', actions.peek)}
      {ticket.status !== 'closed' && button(words.transfer, IconArrowsExchange, 'plain', actions.transfer)}
      {ticket.status === 'closed' && button(words.reopen, IconRotateClockwise2, 'plain', actions.reopen)}
      {ticket.status !== 'closed' && button(words.resolve, IconCheck, 'resolve', actions.resolve)}
    </div>
  )
}
