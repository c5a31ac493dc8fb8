import { type Chat, type ChatMessage, chatsApi, findMentions, findTicketNumbers } from '@recado/contract/chats'
import type { Message } from '@recado/contract/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import {
  Fragment,
  lazy,
  type RefObject,
  Suspense,
  type UIEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { callApi } from '../../lib/api.ts'
import { formatDay } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { chatTexts } from '../../parts/chats/texts.ts'
import { putChatMessage, useChatThread } from '../../parts/chats/use-chats.ts'
import rows from '../../parts/conversation/thread/divider-and-note-rows.module.css'
import { flashMessage } from '../../parts/conversation/thread/flash-message.ts'
import frame from '../../parts/conversation/thread/thread.module.css'
import { ThreadSkeleton } from '../../parts/conversation/thread/thread-skeleton.tsx'
import { useMessageGestures } from '../../parts/conversation/thread/use-message-gestures.ts'
import { MentionContext, type MentionPart } from '../../parts/message/body/mention-context.ts'
import { MessageBubble } from '../../parts/message/bubble/message-bubble.tsx'
import { MessageMenu, type MessageMenuTarget } from '../../parts/message/bubble/message-menu.tsx'
import { MessageContextProvider, useStableHandlers } from '../../parts/message/message-context.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { useToastsAtTopOf } from '../../ui/use-toasts-at-top-of.ts'
import { chatMessageToMessage, type OutgoingChatMessage, outgoingToMessage } from './chat-message-to-message.ts'
import classes from './chats.module.css'
import { MentionedTicketCards, useMentionedTickets } from './mentioned-tickets.tsx'
import { texts } from './texts.ts'

const Lightbox = lazy(() => import('../../parts/message/media/lightbox.tsx').then((m) => ({ default: m.Lightbox })))
const ReactionPicker = lazy(() =>
  import('../../parts/message/reactions/reaction-picker.tsx').then((m) => ({ default: m.ReactionPicker })),
)

/** Spec, section 9: distance from the top at which older messages load. */
const loadOlderWithinPx = 600
/** Closer to the end than this, the view follows new messages. */
const atEndWithinPx = 60

type Props = {
  chat: Chat
  me: number
  outgoing: OutgoingChatMessage[]
  onReply: (message: ChatMessage) => void
  onEdit: (message: ChatMessage) => void
  onRetry: (clientId: string) => void
}

export function ChatThreadView({ chat, me, outgoing, onReply, onEdit, onRetry }: Props) {
  const words = useTexts(texts)
  const shared = useTexts(chatTexts)
  const { data, isError, error, refetch, loadOlder: older, loadUntil: reach } = useChatThread(chat.id)
  const records = useMemo(() => data?.records ?? [], [data])
  const sent = new Set(records.map((one) => one.clientId))
  const waiting = outgoing.filter((out) => !sent.has(out.clientId))
  const scroll = useChatScroll(records, waiting.length, older)
  useToastsAtTopOf(scroll.scrollRef)
  const tickets = useMentionedTickets(records)
  const findMessage = (id: string) => records.find((one) => String(one.id) === id)
  const jumpTo = useJumpToChatMessage(scroll.scrollRef, records, reach)
  const messageActions = useChatMessageActions({
    chat,
    me,
    records,
    jumpTo: jumpTo,
    findMessage: findMessage,
    onReply,
    onEdit,
    onRetry,
    refetch: () => void refetch(),
  })
  // The last message that was read when the chat was opened, for as long as the chat stays open.
  const [readId] = useState(() => {
    const mine = chat.users.find((one) => one.userId === me)
    return mine && mine.unreads > 0 ? mine.readId : Number.POSITIVE_INFINITY
  })
  const firstNew = records.find((one) => one.id > readId && one.senderId !== me)?.id
  const last = records.findLast((one) => one.senderId === me && !one.isDeleted)
  const messageContext = useMemo(
    () => ({
      handlers: messageActions.handlers,
      isGroup: !chat.isDirect,
      readOnly: false,
      canReact: true,
      hasLinkPreviews: false,
      contact: chat.title,
      line: '',
    }),
    [messageActions.handlers, chat.isDirect, chat.title],
  )
  return (
    <MessageContextProvider value={messageContext}>
      <MentionContext value={useMentionFinder(chat, me)}>
        <div className={frame.root}>
          <div
            ref={scroll.scrollRef}
            className={frame.box}
            onScroll={scroll.onScroll}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
            tabIndex={0}
            role="log"
            aria-label={words.thread}
          >
            {!data && !isError && <ThreadSkeleton />}
            {!data && isError && <ErrorState title={words.failed} error={error} onRetry={() => void refetch()} />}
            {data && records.length + waiting.length === 0 && (
              <div className={frame.center}>
                <EmptyState title={shared.noWords} />
              </div>
            )}
            <div className={frame.rows} {...messageActions.gestures}>
              {records.map((one, i) => {
                const before = records[i - 1]
                const newDay = !before || formatDay(before.createdAt) !== formatDay(one.createdAt)
                const cut = newDay || one.id === firstNew
                return (
                  <Fragment key={one.id}>
                    {newDay && (
                      <div className={rows.day}>
                        {formatDay(one.createdAt) === formatDay(new Date()) ? words.today : formatDay(one.createdAt)}
                      </div>
                    )}
                    {one.id === firstNew && <div className={rows.new}>{words.newOnes}</div>}
                    <div className={`${classes.message} ${one.mentions.includes(me) ? classes.called : ''}`}>
                      <MessageBubble
                        message={chatMessageToMessage(one, chat, me, words.you)}
                        isSameSender={!cut && before?.senderId === one.senderId && one.senderId !== null}
                        isNew={false}
                      />
                      <MentionedTicketCards
                        numbers={findTicketNumbers(one.message)}
                        tickets={tickets}
                        isOwn={one.senderId === me}
                      />
                    </div>
                    {one === last && <SeenBy chat={chat} me={me} message={one} />}
                  </Fragment>
                )
              })}
              {waiting.map((out) => (
                <MessageBubble
                  key={out.clientId}
                  message={outgoingToMessage(out, chat, me, words.you)}
                  isSameSender={false}
                  isNew={false}
                />
              ))}
            </div>
          </div>
        </div>
        {messageActions.dialogs}
      </MentionContext>
    </MessageContextProvider>
  )
}

/** Below the last own message: the members who have read it. */
function SeenBy({ chat, me, message }: { chat: Chat; me: number; message: ChatMessage }) {
  const words = useTexts(texts)
  const readers = chat.users.filter((one) => one.userId !== me && one.readId >= message.id)
  if (readers.length === 0) return null
  const names = readers.map((one) => one.user.name).join(', ')
  return (
    <div className={classes.seen} title={names}>
      <span>
        {words.seen}
        <span className="rc-sr"> {names}</span>
      </span>
      {readers.slice(0, 6).map((one) => (
        <PersonAvatar key={one.userId} id={one.userId} name={one.user.name} size={16} />
      ))}
      {readers.length > 6 && `+${readers.length - 6}`}
    </div>
  )
}

/** Finds the members mentioned in a text, as long as they are in the chat. */
function useMentionFinder({ users }: Chat, me: number): (text: string) => MentionPart[] {
  // A presence change creates new objects for the same people: no re-render needed.
  const key = users.map(({ userId, user }) => `${userId} ${user.name}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says who they are
  return useMemo(() => {
    const people = users.map((one) => one.user)
    return (text) => {
      const parts: MentionPart[] = []
      let at = 0
      for (const { from, to, userId } of findMentions(text, people)) {
        if (from > at) parts.push(text.slice(at, from))
        parts.push({ name: text.slice(from, to), isMe: userId === me })
        at = to
      }
      return at < text.length ? [...parts, text.slice(at)] : parts
    }
  }, [key, me])
}

/** Loads up to a message and scrolls to it as soon as it is rendered; the URL may contain its id. */
function useJumpToChatMessage(
  box: RefObject<HTMLDivElement | null>,
  records: ChatMessage[],
  reach: (id: number) => Promise<boolean>,
) {
  const words = useTexts(texts)
  const [wanted, setWanted] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows it waits for come with the records
  useLayoutEffect(() => {
    const row = wanted === null ? null : box.current?.querySelector(`[data-message="${CSS.escape(wanted)}"]`)
    if (!row || wanted === null) return
    setWanted(null)
    row.scrollIntoView({ block: 'center' })
    flashMessage(box.current, wanted)
  }, [wanted, records])
  const jumpTo = async (id: string): Promise<void> => {
    if (await reach(Number(id))) setWanted(id)
    else toast.info(words.notThere)
  }
  const named = useLocation({ select: ({ hash }) => (/^\d{1,9}$/.test(hash) ? hash : undefined) })
  const isRead = records.length > 0
  const land = useEffectEvent((id: string) => void jumpTo(id).catch((error: unknown) => toast.error(error)))
  useEffect(() => {
    if (named && isRead) land(named)
  }, [named, isRead])
  return jumpTo
}

/** Keeps the scroll position: a view at the end stays at the end, and older messages inserted above do not move it. */
function useChatScroll(records: ChatMessage[], waiting: number, older: () => Promise<void>) {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const before = useRef({ first: 0, height: 0 })
  const busy = useRef(false)
  const first = records[0]?.id ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is drawn anew may change the height
  useLayoutEffect(() => {
    const el = box.current
    if (!el) return
    if (atEnd.current) el.scrollTop = el.scrollHeight
    else if (first !== before.current.first) el.scrollTop += el.scrollHeight - before.current.height
    before.current = { first, height: el.scrollHeight }
  }, [records, waiting, first])
  // The height changes later: pictures and tickets load after their messages, and the side panel changes the width.
  useEffect(() => {
    const el = box.current
    if (!el) return
    const watch = new ResizeObserver(() => {
      if (atEnd.current) el.scrollTop = el.scrollHeight
    })
    for (const one of [el, el.lastElementChild]) if (one) watch.observe(one)
    return () => watch.disconnect()
  }, [])
  const loadOlder = () => {
    if (busy.current) return
    busy.current = true
    older()
      .catch((error: unknown) => toast.error(error))
      .finally(() => {
        busy.current = false
      })
  }
  // A page shorter than its container cannot be scrolled, so older messages could not be requested.
  const fill = useEffectEvent(() => {
    const el = box.current
    if (el && records.length > 0 && el.scrollHeight <= el.clientHeight) loadOlder()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again with every page
  useEffect(() => fill(), [records])
  const onScroll = ({ currentTarget: el }: UIEvent<HTMLDivElement>) => {
    atEnd.current = el.scrollHeight - el.scrollTop - el.clientHeight < atEndWithinPx
    if (el.scrollTop <= loadOlderWithinPx) loadOlder()
  }
  return { scrollRef: box, onScroll }
}

type MessageActionOptions = {
  chat: Chat
  me: number
  records: ChatMessage[]
  jumpTo: (id: string) => Promise<void>
  findMessage: (id: string) => ChatMessage | undefined
  onReply: (message: ChatMessage) => void
  onEdit: (message: ChatMessage) => void
  onRetry: (clientId: string) => void
  refetch: () => void
}

/** Actions on a message: the buttons of its bubble, its menu, and the dialogs they open. */
function useChatMessageActions({
  chat,
  me,
  records,
  jumpTo,
  findMessage,
  onReply,
  onEdit,
  onRetry,
  refetch,
}: MessageActionOptions) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const [menu, setMenu] = useState<MessageMenuTarget | null>(null)
  const [picker, setPicker] = useState<MessageMenuTarget | null>(null)
  const [viewed, setViewed] = useState<Message | null>(null)
  const paramsOf = (message: Message) => ({ id: chat.id, messageId: Number(message.id) })
  const attempt = (work: () => Promise<ChatMessage | undefined>) =>
    void work().then(
      (message) => message && putChatMessage(client, message),
      (error: unknown) => toast.error(error),
    )
  const withOriginal = (message: Message, act: (one: ChatMessage) => void) => {
    const one = findMessage(message.id)
    if (one) act(one)
  }
  const openMenu = (message: Message, at: HTMLElement, only?: 'react') => {
    const { left, bottom, top } = at.getBoundingClientRect()
    setMenu({
      message,
      left,
      top: at.dataset.message ? Math.max(top, 60) : bottom,
      anchor: at,
      ...(only && { onlySection: only }),
    })
  }
  const handlers = useStableHandlers({
    reply: (message) => withOriginal(message, onReply),
    jump: (id) => void jumpTo(id).catch((error: unknown) => toast.error(error)),
    view: setViewed,
    menu: openMenu,
    react: (message, emoji) => attempt(() => callApi(chatsApi.react, { params: paramsOf(message), body: { emoji } })),
    edit: (message) => withOriginal(message, onEdit),
    retry: (message) => onRetry(message.id),
    remove: (message) =>
      attempt(async () => {
        const sure = await openConfirm({ title: words.unsayAsk, consequence: words.unsayLine, verb: words.unsay })
        return sure ? callApi(chatsApi.unsay, { params: paramsOf(message) }) : undefined
      }),
    fetch: () => undefined,
    renew: refetch,
  })
  const toMessage = (one: ChatMessage) => chatMessageToMessage(one, chat, me, words.you)
  const gestures = useMessageGestures({
    findMessage: (id) => {
      const one = findMessage(id)
      return one && toMessage(one)
    },
    reply: handlers.reply,
    menu: openMenu,
  })
  const isOwn = menu && findMessage(menu.message.id)?.senderId === me
  const pictures = records.filter((one) => one.mediaUrl && (one.mediaType === 'image' || one.mediaType === 'video'))
  const dialogs = (
    <Suspense fallback={null}>
      {menu && (
        <MessageMenu
          target={menu}
          onReply={handlers.reply}
          react={{ disabledReason: '', run: handlers.react, openPicker: setPicker }}
          edit={
            isOwn && menu.message.mediaType === 'conversation' ? { disabledReason: '', run: handlers.edit } : undefined
          }
          remove={isOwn ? { disabledReason: '', run: handlers.remove } : undefined}
          onClose={() => {
            menu.anchor.closest<HTMLElement>('[data-message]')?.focus({ preventScroll: true })
            setMenu(null)
          }}
        />
      )}
      {picker && (
        <ReactionPicker
          {...picker}
          onPick={(emoji) => handlers.react(picker.message, emoji)}
          onClose={() => setPicker(null)}
        />
      )}
      {viewed && (
        <Lightbox
          message={viewed}
          messages={pictures.map(toMessage)}
          contact={chat.title}
          onMove={setViewed}
          onClose={() => setViewed(null)}
        />
      )}
    </Suspense>
  )
  return { handlers: handlers, gestures, dialogs }
}
