import { useMediaQuery } from '@mantine/hooks'
import type { Ticket } from '@recado/contract/tickets'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type CSSProperties, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { readStoredJson, writeStoredJson } from '../../lib/storage.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { TicketDialogs } from '../../parts/conversation/dialogs/ticket-dialogs.tsx'
import { useSyncDrafts } from '../../parts/conversation/outgoing/draft-sync.ts'
import { OfflineBar } from '../../parts/offline-bar.tsx'
import { usePinNews } from '../../parts/ticket/pins.ts'
import { wasSentAway } from '../../parts/ticket/ticket-moves.ts'
import { useTicketView } from '../../parts/ticket/ticket-view.ts'
import { useTicketNews } from '../../parts/ticket/use-ticket-news.ts'
import { useColumnWidth } from '../../parts/use-column-width.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { FirstSteps } from './list/first-steps/first-steps.tsx'
import { TicketListPane } from './list/ticket-list-pane.tsx'
import { NoTicketSelected } from './no-ticket-selected.tsx'
import { isSelecting, setPaneOpen, useCheckedTickets } from './selection/checked-tickets.ts'
import classes from './tickets-page.module.css'
import { useOpenTicket } from './use-open-ticket.ts'
import { useTicketShortcuts } from './use-ticket-shortcuts.ts'

const loadConversation = () => import('../../parts/conversation/conversation.tsx')
const MentionedConversation = lazy(() =>
  import('../../parts/conversation/mentioned-conversation.tsx').then((m) => ({ default: m.MentionedConversation })),
)
const Conversation = lazy(() => loadConversation().then((m) => ({ default: m.Conversation })))
// When the page opens at a ticket's URL, the conversation loads in parallel with the list.
if (location.pathname !== '/tickets') void loadConversation()
const SelectionPane = lazy(() => import('./selection/selection-pane.tsx').then((m) => ({ default: m.SelectionPane })))
const ContactDrawer = lazy(() => import('./contact/contact-drawer.tsx').then((m) => ({ default: m.ContactDrawer })))

/** The list takes a third of the width until the user drags its edge (design 7). */
const listWidth = { name: 'tickets-width', narrowest: 320, widest: 400, usual: 400, side: 'left' } as const

const texts = defineTexts({
  es: { edge: 'Ancho de la lista', failed: 'No pudimos abrir el ticket' },
  pt: { edge: 'Largura da lista', failed: 'Não conseguimos abrir o ticket' },
  en: { edge: 'List width', failed: "We couldn't open the ticket" },
})

/** The list, the conversation and the contact: side by side, or one at a time on a phone. */
export function TicketsPage() {
  const { ticketId } = useParams({ strict: false }) as { ticketId?: string }
  const phone = useIsPhone()
  useTicketNews()
  usePinNews()
  useSyncDrafts()
  return (
    <>
      {phone ? <PhoneLayout uuid={ticketId} /> : <TicketColumns uuid={ticketId} />}
      <TicketDialogs />
    </>
  )
}

function TicketColumns({ uuid }: { uuid: string | undefined }) {
  const words = useTexts(texts)
  const checked = useCheckedTickets()
  // A ticket that is opened is shown instead of the selection, which stays.
  useEffect(() => {
    if (uuid !== undefined) setPaneOpen(false)
  }, [uuid])
  const { width, edge } = useColumnWidth(listWidth)
  const column = width === null ? `clamp(${listWidth.narrowest}px, 33.3%, ${listWidth.widest}px)` : `${width}px`
  return (
    <div className={classes.columns} style={{ '--list': column } as CSSProperties}>
      <div className={classes.list}>
        <TicketListPane selected={uuid} />
        <div id="offer-slot" />
      </div>
      <hr aria-orientation="vertical" className={classes.edge} aria-label={words.edge} {...edge} />
      {isSelecting(checked) && (
        <Suspense fallback={null}>
          <SelectionPane />
        </Suspense>
      )}
      {!(isSelecting(checked) && checked.isPaneOpen) &&
        (uuid === undefined ? <FirstSteps fallback={<NoneSelected />} /> : <OpenedTicket uuid={uuid} />)}
    </div>
  )
}

/** The list renders first; the conversation's code is preloaded before the user chooses a ticket. */
function NoneSelected() {
  useEffect(() => void loadConversation(), [])
  return <NoTicketSelected />
}

/** The layout on a phone: the list stays mounted with its scroll position below the conversation. */
function PhoneLayout({ uuid }: { uuid: string | undefined }) {
  const navigate = useNavigate()
  useEffect(() => void loadConversation(), [])
  return (
    <>
      <div className={classes.list} inert={uuid !== undefined}>
        <TicketListPane selected={uuid} />
      </div>
      {uuid !== undefined && (
        <div className={classes.over}>
          <OfflineBar keepsMessages />
          <OpenedTicket uuid={uuid} onBack={() => void navigate({ href: '/tickets' })} />
        </div>
      )}
    </>
  )
}

type OpenedProps = { uuid: string; onBack?: () => void }

function OpenedTicket({ uuid, onBack }: OpenedProps) {
  const words = useTexts(texts)
  const { ticket, error, retry } = useOpenTicket(uuid)
  const ownTicket = ticket?.byMention ? undefined : ticket
  useTicketShortcuts(ownTicket)
  useFollowTicketTab(ownTicket)
  const [withContact, setWithContact] = useContactDrawer()
  return (
    <>
      <div className={classes.conversation}>
        {ticket?.byMention ? (
          <Suspense fallback={null}>
            <MentionedConversation ticket={ticket} onBack={onBack} />
          </Suspense>
        ) : ticket ? (
          <Suspense fallback={null}>
            <Conversation
              ticket={ticket}
              onOpenContact={() => setWithContact(!withContact)}
              {...(onBack && { onBack })}
            />
          </Suspense>
        ) : (
          error && <ErrorState title={words.failed} error={error} onRetry={retry} />
        )}
      </div>
      {ownTicket && withContact && (
        <Suspense fallback={null}>
          <ContactDrawer ticket={ownTicket} onClose={() => setWithContact(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Switches the list to the tab of the opened or changed ticket; search results stay. */
function useFollowTicketTab(ticket: Ticket | undefined): void {
  const [view, look] = useTicketView()
  const { id, uuid, status, snooze } = ticket ?? {}
  const follow = useEffectEvent(() => {
    // The user's own resolve or accept already leads to the right tab.
    if (!id || !status || view.tab === 'search' || view.viewId !== null || wasSentAway(id)) return
    look(status === 'closed' ? { tab: 'closed' } : { tab: 'open', sub: snooze ? 'snoozed' : status })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each ticket and each thing it becomes; who looks at another tab meanwhile is left there.
  useEffect(() => follow(), [uuid, status])
}

/**
 * Whether the contact is shown beside the conversation. Where it would cover the conversation, the choice is not
 * stored.
 */
function useContactDrawer(): [boolean, (open: boolean) => void] {
  const key = `contact-drawer-${useSession().user?.id ?? 0}`
  const roomy = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  const [open, setOpen] = useState(() => roomy && readStoredJson<unknown>(key, null) === true)
  const keep = (next: boolean) => {
    setOpen(next)
    if (roomy) writeStoredJson(key, next)
  }
  return [open, keep]
}
