import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { useLines } from '../../../parts/use-lines.ts'
import { ClosedBox } from './closed-box.tsx'
import classes from './composer.module.css'
import type { Mode } from './drafts.ts'
import { whyClosed } from './why-closed.ts'
import { WritingBox } from './writing-box.tsx'

type Props = { ticket: Ticket; replyTo: Message | null; onReplyTo: (message: Message | null) => void }

/** Where answers and notes are written. Each ticket has its own, with what was left in it. */
export function Composer(props: Props) {
  return (
    <div className={classes.root}>
      <TicketBox key={props.ticket.id} {...props} />
    </div>
  )
}

function TicketBox({ ticket, replyTo, onReplyTo }: Props) {
  const { user } = useSession()
  const lines = useLines()
  const [mode, setMode] = useState<Mode>('reply')
  const why = user && whyClosed(ticket, user, lines.data)
  if (why && mode === 'reply') return <ClosedBox ticket={ticket} why={why} onNote={() => setMode('note')} />
  return <WritingBox {...{ ticket, mode, replyTo, onReplyTo }} onMode={setMode} />
}
