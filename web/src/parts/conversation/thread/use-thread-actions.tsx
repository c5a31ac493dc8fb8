import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { useUnsupportedReason } from '../../line/line-abilities.ts'
import { parseMessageError } from '../../message/bubble/message-failure-texts.ts'
import { MessageMenu, type MessageMenuTarget } from '../../message/bubble/message-menu.tsx'
import { useStableHandlers } from '../../message/message-context.ts'
import { openTemplateDialog } from '../../ticket/ticket-dialog-state.ts'
import { isAgentText, isRecentEnoughToEdit } from '../messages/editable-messages.ts'
import { useMessageActions } from '../messages/use-message-actions.ts'
import { useReplyWindow } from '../messages/use-reply-window.ts'
import { threadTexts } from './texts.ts'
import { useJumpToMessage } from './use-jump-to-message.ts'
import { useMessageGestures } from './use-message-gestures.ts'
import type { ThreadView } from './use-thread-view.ts'

const Lightbox = lazy(() => import('../../message/media/lightbox.tsx').then((module) => ({ default: module.Lightbox })))
const ReactionPicker = lazy(() =>
  import('../../message/reactions/reaction-picker.tsx').then((module) => ({ default: module.ReactionPicker })),
)

const ForwardDialog = lazy(() =>
  import('../forward/forward-dialog.tsx').then((module) => ({ default: module.ForwardDialog })),
)

export type ReplyHandlers = {
  onReply?: ((message: Message) => void) | undefined
  onEdit?: ((message: Message) => void) | undefined
}

/** Actions in a thread: bubble buttons, gestures, and the dialogs they open. */
export function useThreadActions(
  ticket: Ticket,
  view: ThreadView,
  readOnly: boolean,
  { onReply, onEdit }: ReplyHandlers,
) {
  const words = useTexts(threadTexts)
  const messageActions = useMessageActions(ticket)
  const cannot = useUnsupportedReason(ticket.whatsappId)
  const timeLeftMs = useReplyWindow(ticket.windowEndsAt)
  const [menu, setMenu] = useState<MessageMenuTarget | null>(null)
  const [picker, setPicker] = useState<MessageMenuTarget | null>(null)
  const [viewed, setViewed] = useState<Message | null>(null)
  const [forwarded, setForwarded] = useState<Message | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const { messages } = view
  const noReaction = cannot('reaction') || (timeLeftMs !== null && timeLeftMs <= 0 ? words.windowOver : '')
  const speaks = !readOnly && messageActions.canSend

  const openMenu = (message: Message, at: HTMLElement, only?: 'react') => {
    const { left: timeLeftMs, bottom, top } = at.getBoundingClientRect()
    // Opened by its button, the menu appears below it. Opened for a bubble, by a long press or a key, it appears at the
    // bubble's top.
    setMenu({
      message,
      left: timeLeftMs,
      top: at.dataset.message ? Math.max(top, 60) : bottom,
      anchor: at,
      ...(only && { onlySection: only }),
    })
  }
  const goBack = (from: HTMLElement) => from.closest<HTMLElement>('[data-message]')?.focus({ preventScroll: true })
  const jump = useJumpToMessage(view)
  const handlers = useStableHandlers({
    reply: (message) => onReply?.(message),
    jump: (id) => void jump(id),
    view: setViewed,
    menu: openMenu,
    react: (message, emoji) => {
      setAnnouncement(emoji ? words.reacted(emoji) : words.takenBack)
      // The current version of the message is used, because the menu may have been open for a while.
      void messageActions.react(messages.find((one) => one.id === message.id) ?? message, emoji)
    },
    edit: (message) => onEdit?.(message),
    retry: (message) => {
      if (parseMessageError(message.error).word === 'window-closed') openTemplateDialog(ticket)
      else void messageActions.retry(message)
    },
    remove: (message) => void messageActions.remove(message),
    fetch: (message) => void messageActions.fetch(message),
    renew: view.refetch,
  })
  const gestures = useMessageGestures({
    findMessage: (id) => messages.find((one) => one.id === id),
    reply: onReply,
    menu: readOnly ? undefined : openMenu,
  })
  const dialogs = (
    <>
      {menu && (
        <MessageMenu
          target={menu}
          onReply={onReply}
          react={
            speaks && isDelivered(menu.message)
              ? { disabledReason: noReaction, run: handlers.react, openPicker: setPicker }
              : undefined
          }
          edit={
            speaks && isAgentText(menu.message)
              ? {
                  disabledReason: cannot('edit') || (isRecentEnoughToEdit(menu.message) ? '' : words.editTooLate),
                  run: handlers.edit,
                }
              : undefined
          }
          forward={!readOnly && canForward(menu.message) ? setForwarded : undefined}
          remove={
            messageActions.canRemove(menu.message)
              ? { disabledReason: menu.message.ack > 1 ? cannot('revoke') : '', run: handlers.remove }
              : undefined
          }
          onClose={() => {
            goBack(menu.anchor)
            setMenu(null)
          }}
        />
      )}
      {picker && (
        <Suspense fallback={null}>
          <ReactionPicker
            {...picker}
            onPick={(emoji) => handlers.react(picker.message, emoji)}
            onClose={() => {
              goBack(picker.anchor)
              setPicker(null)
            }}
          />
        </Suspense>
      )}
      <span className="rc-sr" role="status">
        {announcement}
      </span>
      {forwarded && (
        <Suspense fallback={null}>
          <ForwardDialog
            message={forwarded}
            others={messages.filter(canForward)}
            ticket={ticket}
            onClose={() => setForwarded(null)}
          />
        </Suspense>
      )}
      {viewed && (
        <Suspense fallback={null}>
          <Lightbox
            message={messages.find((one) => one.id === viewed.id) ?? viewed}
            messages={messages.filter(isViewable)}
            contact={ticket.contact.name}
            onMove={setViewed}
            onClose={() => setViewed(null)}
          />
        </Suspense>
      )}
    </>
  )
  return { handlers: handlers, jump, gestures, dialogs, notes: messageActions, canReact: speaks && !noReaction }
}

/** Whether the message is on the customer's phone, so that a reaction or reply can refer to it. */
const isDelivered = ({ fromMe, ack }: Message) => !fromMe || ack > 1

/** The server's rule for forwarding: the content is available and can be sent again. */
const canForward = ({ isDeleted, mediaType, mediaState }: Message) =>
  !isDeleted && mediaType !== 'call_log' && mediaType !== 'unknown' && (mediaState === 'none' || mediaState === 'ready')

const isViewable = ({ mediaType, mediaUrl, isDeleted }: Message) =>
  (mediaType === 'image' || mediaType === 'video') && mediaUrl !== null && !isDeleted
