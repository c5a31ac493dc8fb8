import { ActionIcon } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { Chip } from '../../ui/chip.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { useMarkNoticesRead } from '../notices.ts'
import { ticketKey } from '../ticket/ticket-cache.ts'
import classes from './conversation.module.css'
import { threadKey } from './messages/thread-cache.ts'
import { notesKey } from './messages/use-notes-and-system-lines.ts'
import { Thread } from './thread/thread.tsx'

const texts = defineTexts({
  es: {
    conversation: 'Conversación',
    back: 'Volver',
    readOnly: 'Solo lectura',
    why: 'Ves este ticket porque te mencionaron en una nota. Puedes leerlo mientras la nota exista.',
  },
  pt: {
    conversation: 'Conversa',
    back: 'Voltar',
    readOnly: 'Somente leitura',
    why: 'Você vê este ticket porque foi mencionado em uma nota. Pode lê-lo enquanto a nota existir.',
  },
  en: {
    conversation: 'Conversation',
    back: 'Back',
    readOnly: 'Read only',
    why: 'You can see this ticket because a note mentions you. You can read it as long as the note exists.',
  },
})

/** How often the ticket is polled: no live updates reach this user, because the ticket is not theirs. */
const refetchIntervalMs = 20_000

/** A ticket that the user reads only because a note mentions them: nothing can be changed. */
export function MentionedConversation({ ticket, onBack }: { ticket: Ticket; onBack?: (() => void) | undefined }) {
  const words = useTexts(texts)
  const client = useQueryClient()
  useMarkNoticesRead(ticket.id)
  useEffect(() => {
    const keys = [threadKey(ticket.id), notesKey(ticket.id), ticketKey(ticket.uuid)]
    const timer = setInterval(() => {
      for (const queryKey of keys) void client.invalidateQueries({ queryKey })
    }, refetchIntervalMs)
    return () => clearInterval(timer)
  }, [client, ticket.id, ticket.uuid])
  return (
    <section
      className={classes.root}
      aria-label={words.conversation}
      id="conversation"
      tabIndex={-1}
      data-region="thread"
    >
      <header className={classes.mentionHead}>
        {onBack && (
          <ActionIcon size={44} aria-label={words.back} onClick={onBack}>
            <IconArrowLeft size={20} stroke={1.75} />
          </ActionIcon>
        )}
        <h2 className={classes.mentionName}>{ticket.contact.name}</h2>
        <Chip>{words.readOnly}</Chip>
      </header>
      <div className={classes.mentionWhy}>
        <InlineNotice kind="info">{words.why}</InlineNotice>
      </div>
      <Thread ticket={ticket} readOnly />
    </section>
  )
}
