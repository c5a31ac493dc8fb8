import { ActionIcon, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Reply } from '@recado/contract/endpoint'
import type { ticketsApi } from '@recado/contract/tickets'
import { IconX } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useCan } from '../../../lib/can.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { useContact } from '../../../parts/use-contact.ts'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { AiCallsSection } from './ai-calls-section.tsx'
import classes from './contact-drawer.module.css'
import { ContactProfile } from './contact-profile.tsx'
import { DetailsSection } from './details-section.tsx'
import { MediaSection } from './media-section.tsx'
import { MembersSection } from './members-section.tsx'
import { NotesSection } from './notes-section.tsx'
import { PastTicketsSection } from './past-tickets-section.tsx'
import { texts } from './texts.ts'

const LikelyDuplicateCard = lazy(() =>
  import('../../../parts/join-contacts/likely-duplicate-card.tsx').then((module) => ({
    default: module.LikelyDuplicateCard,
  })),
)

type Props = { ticket: Reply<typeof ticketsApi.show>; onClose: () => void }

/** Contact details. From 1200 px on a separate column (the page puts it last in its row), below that an overlay. */
export function ContactDrawer(props: Props) {
  const words = useTexts(texts)
  const wide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  if (!wide) return <DrawerOverlay {...props} />
  return (
    <aside className={classes.column} aria-label={words.title} data-region="contact">
      <DrawerHeader onClose={props.onClose} />
      <DrawerContent ticket={props.ticket} />
    </aside>
  )
}

/** An overlay when there is no room beside the conversation; on a phone a sheet. */
function DrawerOverlay(props: Props) {
  const words = useTexts(texts)
  const sheet = useIsPhone()
  // A drawer that is mounted open does not slide in or remember the focus, so it opens a moment later.
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(true), [])
  // While editing, Escape and an outside click go to the form, which asks before it discards changes.
  const [editing, setEditing] = useState(false)
  return (
    <Drawer.Root
      opened={opened}
      onClose={() => setOpened(false)}
      onExitTransitionEnd={props.onClose}
      closeOnEscape={!editing}
      closeOnClickOutside={!editing}
      size={sheet ? '100%' : 320}
      position="right"
      classNames={{ content: classes.overlay ?? '' }}
    >
      <Drawer.Overlay color="var(--rc-scrim)" backgroundOpacity={1} />
      <Drawer.Content aria-label={words.title}>
        <DrawerHeader onClose={() => setOpened(false)} />
        <DrawerContent ticket={props.ticket} onNavigate={() => setOpened(false)} onEditingChange={setEditing} />
      </Drawer.Content>
    </Drawer.Root>
  )
}

function DrawerHeader({ onClose }: { onClose: () => void }) {
  const words = useTexts(texts)
  return (
    <header className={classes.head}>
      <span>{words.title}</span>
      <ActionIcon aria-label={words.close} onClick={onClose}>
        <IconX size={18} stroke={1.75} />
      </ActionIcon>
    </header>
  )
}

type InsideProps = Pick<Props, 'ticket'> & { onNavigate?: () => void; onEditingChange?: (is: boolean) => void }
function DrawerContent({ ticket, onNavigate, onEditingChange }: InsideProps) {
  const detail = useContact(ticket.contactId)
  const mayJoin = useCan()('contacts-page:deleteContact')
  return (
    <div className={classes.inside}>
      <ContactProfile
        key={ticket.contactId}
        contact={detail.data ?? ticket.contact}
        ticket={ticket}
        detail={detail.data}
        isGroup={ticket.isGroup}
        onEditingChange={onEditingChange}
      />
      {mayJoin && !ticket.isGroup && (
        <Suspense fallback={null}>
          <LikelyDuplicateCard contactId={ticket.contactId} />
        </Suspense>
      )}
      {ticket.isGroup && <MembersSection key={ticket.id} ticketId={ticket.id} />}
      <DetailsSection query={detail} />
      <NotesSection ticket={ticket} />
      <MediaSection ticketId={ticket.id} contactId={ticket.contactId} name={ticket.contact.name} />
      <AiCallsSection key={`machines-${ticket.id}`} ticketId={ticket.id} />
      <PastTicketsSection contactId={ticket.contactId} ticketId={ticket.id} onNavigate={() => onNavigate?.()} />
    </div>
  )
}
