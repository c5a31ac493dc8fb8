import type { Reply } from '@recado/contract/kit'
import type { Message } from '@recado/contract/messages'
import type { ticketsApi } from '@recado/contract/tickets'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { Composer } from '../composer/composer.tsx'
import classes from './conversation.module.css'
import { Header } from './header.tsx'
import { TagsBar } from './tags-bar.tsx'
import { texts } from './texts.ts'
import { Thread } from './thread.tsx'
import { useWatchers } from './use-others.ts'
import { OtherWrites } from './watchers.tsx'

type Props = { ticket: Reply<typeof ticketsApi.show>; onContact: () => void; onBack?: (() => void) | undefined }

/** A ticket at work: who, what was said, and the box to answer. */
export function Conversation({ ticket, onContact, onBack }: Props) {
  const words = useTexts(texts)
  const watchers = useWatchers(ticket.id)
  const [answered, setAnswered] = useState<{ ticketId: number; message: Message } | null>(null)
  // What one was about to answer belongs to its ticket.
  const replyTo = answered?.ticketId === ticket.id ? answered.message : null
  const setReplyTo = (message: Message | null) => setAnswered(message && { ticketId: ticket.id, message })
  return (
    <section
      className={classes.root}
      aria-label={words.conversation}
      id="conversation"
      tabIndex={-1}
      data-region="thread"
    >
      <Header ticket={ticket} watchers={watchers} onContact={onContact} onBack={onBack} />
      <TagsBar ticket={ticket} />
      <Thread ticket={ticket} onReply={setReplyTo} {...useNamedMessage(ticket.uuid)} />
      <OtherWrites people={watchers} />
      <Composer ticket={ticket} replyTo={replyTo} onReplyTo={setReplyTo} />
    </section>
  )
}

/** The message that the address names. Once it is shown the address is the ticket's alone: the same hit leads there again. */
function useNamedMessage(uuid: string) {
  const navigate = useNavigate()
  const own = `/tickets/${uuid}`
  // While another ticket is on its way here the address is that one's already.
  const at = useLocation({
    select: ({ pathname, hash }) => (pathname === own && /^\d+$/.test(hash) ? hash : undefined),
  })
  return { at, onLanded: () => void navigate({ href: own, replace: true }) }
}
