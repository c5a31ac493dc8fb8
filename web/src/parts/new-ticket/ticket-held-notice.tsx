import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import type { TicketHolder } from '../ticket/ticket-holder.ts'
import classes from './new-ticket.module.css'
import { newTicketTexts } from './texts.ts'

/** Who has the conflicting ticket, with a link for users who may see it. */
export function TicketHeldNotice({ holder, onOpen }: { holder: TicketHolder; onOpen: (uuid: string) => void }) {
  const words = useTexts(newTicketTexts)
  const who = holder.user ? words.heldBy(holder.user.name) : words.waits
  return (
    <div className={classes.held} role="alert">
      <IconAlertCircle size={18} stroke={1.75} aria-hidden="true" />
      <div>
        <b>{words.held}</b>
        <p>{holder.queue ? words.heldIn(who, holder.queue.name) : who}</p>
        {holder.mayOpen && (
          <Button size="xs" variant="default" onClick={() => onOpen(holder.uuid)}>
            {words.open}
          </Button>
        )}
      </div>
    </div>
  )
}
