import type { Reply } from '@recado/contract/endpoint'
import type { Message } from '@recado/contract/messages'
import type { ticketsApi } from '@recado/contract/tickets'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'
import { useTexts } from '../../lib/texts.ts'
import { useMarkNoticesRead } from '../notices.ts'
import { Composer } from './composer/composer.tsx'
import classes from './conversation.module.css'
import { ConversationHeader } from './head/conversation-header.tsx'
import { TagsBar } from './head/tags-bar.tsx'
import { OtherAgentTyping } from './head/watchers.tsx'
import { useWatchers } from './messages/use-typing-and-watchers.ts'
import { threadTexts } from './thread/texts.ts'
import { Thread } from './thread/thread.tsx'

type Props = {
  ticket: Reply<typeof ticketsApi.show>
  onOpenContact: () => void
  onBack?: (() => void) | undefined
  /** Extra content at the end of the header, for screens that show the conversation beside other content. */
  headerExtra?: ReactNode
}

type MessageInComposer = { ticketId: number; message: Message; action: 'reply' | 'edit' }

/** An open ticket: its header, its messages, and the composer. */
export function Conversation({ ticket, onOpenContact, onBack, headerExtra }: Props) {
  const words = useTexts(threadTexts)
  const watchers = useWatchers(ticket.id)
  useMarkNoticesRead(ticket.id)
  // Each conversation has its own search.
  const [finding, setFinding] = useState<number | null>(null)
  const find = () => setFinding(ticket.id)
  useShortcut('mod+f', find, { label: words.find, group: 'ticket' })
  const [about, setAbout] = useState<MessageInComposer | null>(null)
  // A pending reply or edit belongs to its ticket.
  const now = about?.ticketId === ticket.id ? about : null
  const setTo = (action: MessageInComposer['action']) => (message: Message | null) =>
    setAbout(message && { ticketId: ticket.id, message, action: action })
  const composed = {
    replyTo: now?.action === 'reply' ? now.message : null,
    editedMessage: now?.action === 'edit' ? now.message : null,
    onReplyTo: setTo('reply'),
    onEdit: setTo('edit'),
  }
  return (
    <section
      className={classes.root}
      aria-label={words.conversation}
      id="conversation"
      tabIndex={-1}
      data-region="thread"
    >
      <ConversationHeader
        ticket={ticket}
        watchers={watchers}
        onOpenContact={onOpenContact}
        onFind={find}
        onBack={onBack}
        headerExtra={headerExtra}
      />
      <TagsBar key={ticket.id} ticket={ticket} />
      <Thread
        ticket={ticket}
        onReply={composed.onReplyTo}
        onEdit={composed.onEdit}
        onCloseFind={finding === ticket.id ? () => setFinding(null) : undefined}
        {...useMessageFromAddress(ticket.uuid)}
      />
      <OtherAgentTyping people={watchers} />
      <Composer ticket={ticket} {...composed} />
    </section>
  )
}

/** The message id in the URL. Once shown it is removed from the URL, so that the same hit can be opened again. */
function useMessageFromAddress(uuid: string) {
  const navigate = useNavigate()
  const own = `/tickets/${uuid}`
  // While another ticket loads, the URL already belongs to that ticket.
  const at = useLocation({
    select: ({ pathname, hash }) => (pathname === own && /^\d+$/.test(hash) ? hash : undefined),
  })
  return { messageId: at, onJumped: () => void navigate({ href: own, replace: true }) }
}
