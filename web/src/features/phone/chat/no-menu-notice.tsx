import type { Connection } from '@recado/contract/connections'
import { useTexts } from '../../../lib/texts.ts'
import { useQueues } from '../../../parts/use-queues.ts'
import classes from '../handset.module.css'
import { texts } from '../texts.ts'
import { useSandboxTicket } from '../use-sandbox.ts'

type Props = { line: Connection; ticketId: number; name: string; onStartFresh: () => void }

/** Says why the customer gets no menu: it is only sent at the start of a conversation. */
export function NoMenuNotice({ line, ticketId, name, onStartFresh }: Props) {
  const words = useTexts(texts)
  const { data: ticket } = useSandboxTicket(line.id, ticketId)
  const queues = useQueues().data ?? []
  // Without a choice between queues or options the line never sends a menu.
  const hasOptions = queues.some((queue) => queue.options.length > 0 && line.queues.some(({ id }) => id === queue.id))
  if (line.queues.length < 2 && !hasOptions) return null
  if (!ticket || ticket.status === 'closed' || ticket.chatbot || ticket.isGroup) return null
  const reason =
    ticket.status === 'open'
      ? words.noMenuWithAgent(name, ticket.user?.name ?? '')
      : words.noMenuWaiting(name, ticket.queue?.name ?? null)
  return (
    <div className={classes.notice} role="status">
      {reason}{' '}
      <button type="button" className={classes.noticeButton} onClick={onStartFresh}>
        {words.tryWithNew}
      </button>
    </div>
  )
}
