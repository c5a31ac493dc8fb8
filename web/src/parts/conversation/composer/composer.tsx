import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useLines } from '../../line/use-lines.ts'
import classes from '../../message/composer/composer.module.css'
import { useReplyWindow } from '../messages/use-reply-window.ts'
import type { ComposerMode } from '../outgoing/composer-keys.ts'
import { quoteKeys } from '../thread/use-message-gestures.ts'
import { ClosedComposer } from './closed-composer.tsx'
import { getComposerBlock } from './composer-block.ts'
import { ComposerBox } from './composer-box.tsx'
import { EditMessageBox } from './edit-message-box.tsx'
import { texts } from './texts.ts'

const ReachOutNotice = lazy(() => import('./reach-out-notice.tsx'))

type Props = {
  ticket: Ticket
  replyTo: Message | null
  onReplyTo: (message: Message | null) => void
  /** The sent message being edited. */
  editedMessage: Message | null
  onEdit: (message: Message | null) => void
}

/** The composer for answers and notes. Each ticket has its own composer and drafts. */
export function Composer(props: Props) {
  const words = useTexts(texts)
  const [edits, setEdits] = useState(0)
  return (
    <div className={classes.root}>
      <TicketComposer key={props.ticket.id} {...props} onEdited={() => setEdits((before) => before + 1)} />
      <span className="rc-sr" role="status">
        {edits > 0 && <span key={edits}>{words.edited}</span>}
      </span>
    </div>
  )
}

function TicketComposer({
  ticket,
  replyTo,
  onReplyTo,
  editedMessage,
  onEdit,
  onEdited,
}: Props & { onEdited: () => void }) {
  const words = useTexts(texts)
  const { user } = useSession()
  const lines = useLines()
  const [{ mode, called }, setBox] = useState({ mode: 'reply' as ComposerMode, called: 0 })
  const [quoted, setQuoted] = useState(replyTo)
  const call = (next: ComposerMode) => setBox((before) => ({ mode: next, called: before.called + 1 }))
  const timeLeftMs = useReplyWindow(ticket.windowEndsAt)
  const block = user && getComposerBlock(ticket, user, lines.data, timeLeftMs)
  useShortcut('r', () => call('reply'), { label: words.replyKey, group: 'ticket', isActive: !block })
  useShortcut('n', () => call('note'), { label: words.writeNote, group: 'ticket' })
  useShortcut(quoteKeys, null, { label: words.quoteKey, group: 'ticket', isActive: !block })
  // A reply was requested while a note is being written; the draft of the note is kept.
  if (replyTo !== quoted) {
    setQuoted(replyTo)
    if (replyTo && mode === 'note' && !block) call('reply')
  }
  // Editing ends if the ticket is resolved meanwhile.
  if (editedMessage && ticket.status === 'open')
    return (
      <EditMessageBox
        key={editedMessage.id}
        ticket={ticket}
        message={editedMessage}
        onClose={(saved) => {
          if (saved) onEdited()
          onEdit(null)
          // The focus returns to the composer.
          call('reply')
        }}
      />
    )
  if (block && mode === 'reply')
    return <ClosedComposer ticket={ticket} block={block} onWriteNote={() => call('note')} />
  const lockedUntil = lines.data?.find(({ id }) => id === ticket.whatsappId)?.lockedUntil
  return (
    <>
      {lockedUntil && mode === 'reply' && (
        <Suspense fallback={null}>
          <ReachOutNotice ticketId={ticket.id} lockedUntil={lockedUntil} lastMessageId={ticket.last?.id} />
        </Suspense>
      )}
      <ComposerBox
        {...{ ticket, mode, replyTo, onReplyTo, onEdit, focusRequests: called, timeLeftMs: timeLeftMs }}
        onModeChange={call}
      />
    </>
  )
}
