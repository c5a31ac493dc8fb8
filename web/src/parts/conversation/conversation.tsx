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
  onContact: () => void
  onBack?: (() => void) | undefined
  /** What whoever shows it beside something else puts at the end of its head. */
  aside?: ReactNode
}

type MessageInComposer = { ticketId: number; message: Message; deed: 'reply' | 'edit' }

/** A ticket at work: who, what was said, and the box to answer. */
export function Conversation({ ticket, onContact, onBack, aside }: Props) {
  const words = useTexts(threadTexts)
  const watchers = useWatchers(ticket.id)
  useMarkNoticesRead(ticket.id)
  // Each conversation is looked through on its own.
  const [finding, setFinding] = useState<number | null>(null)
  const find = () => setFinding(ticket.id)
  useShortcut('mod+f', find, { label: words.find, group: 'ticket' })
  const [about, setAbout] = useState<MessageInComposer | null>(null)
  // What one was about to answer, or to say differently, belongs to its ticket.
  const now = about?.ticketId === ticket.id ? about : null
  const setTo = (deed: MessageInComposer['deed']) => (message: Message | null) =>
    setAbout(message && { ticketId: ticket.id, message, deed })
  const composed = {
    replyTo: now?.deed === 'reply' ? now.message : null,
    editing: now?.deed === 'edit' ? now.message : null,
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
        onContact={onContact}
        onFind={find}
        onBack={onBack}
        aside={aside}
      />
      <TagsBar key={ticket.id} ticket={ticket} />
      <Thread
        ticket={ticket}
        onReply={composed.onReplyTo}
        onEdit={composed.onEdit}
        onFound={finding === ticket.id ? () => setFinding(null) : undefined}
        {...useMessageFromAddress(ticket.uuid)}
      />
      <OtherAgentTyping people={watchers} />
      <Composer ticket={ticket} {...composed} />
    </section>
  )
}

/** The message that the address names. Once it is shown the address is the ticket's alone: the same hit leads there again. */
function useMessageFromAddress(uuid: string) {
  const navigate = useNavigate()
  const own = `/tickets/${uuid}`
  // While another ticket is on its way here the address is that one's already.
  const at = useLocation({
    select: ({ pathname, hash }) => (pathname === own && /^\d+$/.test(hash) ? hash : undefined),
  })
  return { at, onLanded: () => void navigate({ href: own, replace: true }) }
}
