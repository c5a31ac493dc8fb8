import { Modal } from '@mantine/core'
import { ticketPriorities } from '@recado/contract/ticket-statuses'
import type { Ticket } from '@recado/contract/tickets'
import { IconCheck } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { PriorityMark } from '../../ticket/priority-mark.tsx'
import { priorityTexts } from '../../ticket/priority-texts.ts'
import { useTicketActions } from '../../ticket/ticket-actions.ts'
import classes from './choice-dialog.module.css'
import { useFocusReturn } from './use-focus-return.ts'

type Props = {
  ticket: Ticket
  opened: boolean
  onClose: () => void
  /** Instead of setting the priority of the ticket. */
  onChoose?: (priority: Ticket['priority']) => void
}

/** Chooses the priority: by click, by arrows and Enter, or by its number. */
export function PriorityDialog({ ticket, opened, onClose: close, onChoose }: Props) {
  const words = useTexts(priorityTexts)
  const actions = useTicketActions()
  const returnFocus = useFocusReturn()
  const onClose = () => {
    close()
    returnFocus()
  }
  const choose = (priority: Ticket['priority']) => {
    onClose()
    if (onChoose) onChoose(priority)
    else if (priority !== ticket.priority) void actions.setPriority(ticket, priority)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const numbered = ticketPriorities[Number(event.key) - 1]
    if (numbered) return choose(numbered)
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons.at((at + by + buttons.length) % buttons.length)?.focus()
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={words.title}
      size={300}
      centered
      returnFocus={false}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs; these are buttons. */}
      <div role="group" aria-label={words.title} className={classes.choices} onKeyDown={onKeyDown}>
        {ticketPriorities.map((priority, i) => (
          <button
            key={priority}
            type="button"
            className={classes.choice}
            aria-pressed={priority === ticket.priority}
            data-autofocus={priority === ticket.priority || undefined}
            onClick={() => choose(priority)}
          >
            <PriorityMark priority={priority} size={18} />
            <span className={classes.word}>{words.names[priority]}</span>
            {priority === ticket.priority && <IconCheck size={16} stroke={1.75} aria-hidden="true" />}
            <span className={classes.key} aria-hidden="true">
              {i + 1}
            </span>
          </button>
        ))}
      </div>
    </Modal>
  )
}
