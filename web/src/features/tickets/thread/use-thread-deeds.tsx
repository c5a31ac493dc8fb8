import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { lazy, Suspense, useState } from 'react'
import { useCannot } from '../../../parts/line-abilities.ts'
import { openTemplates } from '../dialogs/wanted.ts'
import { readError } from './failure-texts.ts'
import { type MenuFor, MessageMenu } from './message-menu.tsx'
import { useStableHands } from './thread-hands.ts'
import { useGestures } from './use-gestures.ts'
import { useJump } from './use-jump.ts'
import { useMessageDeeds } from './use-message-deeds.ts'
import type { ThreadView } from './use-thread-view.ts'

const Lightbox = lazy(() => import('./lightbox.tsx').then((module) => ({ default: module.Lightbox })))

type Reply = ((message: Message) => void) | undefined

/** What can be done in a thread: the hands of its bubbles, its gestures, and what opens from them. */
export function useThreadDeeds(ticket: Ticket, view: ThreadView, readOnly: boolean, onReply: Reply) {
  const deeds = useMessageDeeds(ticket)
  const cannot = useCannot(ticket.whatsappId)
  const [menu, setMenu] = useState<MenuFor | null>(null)
  const [viewed, setViewed] = useState<Message | null>(null)
  const { messages } = view

  const openMenu = (message: Message, at: HTMLElement) => {
    const { left, bottom, top } = at.getBoundingClientRect()
    // Under the button; of a whole bubble, at its top, which is where the finger or the focus is.
    setMenu({ message, left, top: at.dataset.message ? Math.max(top, 60) : bottom, from: at })
  }
  const closeMenu = () => {
    menu?.from.closest<HTMLElement>('[data-message]')?.focus({ preventScroll: true })
    setMenu(null)
  }
  const jump = useJump(view)
  const hands = useStableHands({
    reply: (message) => onReply?.(message),
    jump: (id) => void jump(id),
    view: setViewed,
    menu: openMenu,
    retry: (message) => {
      if (readError(message.error).word === 'window-closed') openTemplates(ticket)
      else void deeds.retry(message)
    },
    remove: (message) => void deeds.remove(message),
    renew: view.again,
  })
  const gestures = useGestures({
    find: (id) => messages.find((one) => one.id === id),
    reply: onReply,
    menu: readOnly ? undefined : openMenu,
  })
  const dialogs = (
    <>
      {menu && (
        <MessageMenu
          about={menu}
          onReply={onReply}
          onRemove={deeds.mayRemove(menu.message) ? hands.remove : undefined}
          noRemove={menu.message.ack > 1 ? cannot('revoke') : ''}
          onClose={closeMenu}
        />
      )}
      {viewed && (
        <Suspense fallback={null}>
          <Lightbox
            message={messages.find((one) => one.id === viewed.id) ?? viewed}
            all={messages.filter(isViewable)}
            contact={ticket.contact.name}
            onMove={setViewed}
            onClose={() => setViewed(null)}
          />
        </Suspense>
      )}
    </>
  )
  return { hands, gestures, dialogs, notes: deeds }
}

const isViewable = ({ mediaType, mediaUrl, isDeleted }: Message) =>
  (mediaType === 'image' || mediaType === 'video') && mediaUrl !== null && !isDeleted
