import { ActionIcon, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type Chat, type ChatMessage, chatsApi } from '@recado/contract/chats'
import {
  IconArrowLeft,
  IconBell,
  IconBellOff,
  IconDoorExit,
  IconDotsVertical,
  IconEdit,
  IconTrash,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { readStoredJson, writeStoredJson } from '../../lib/storage.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { countUnread } from '../../parts/chats/apply-chat-news.ts'
import { ChatAvatar } from '../../parts/chats/chat-row.tsx'
import { putChat, removeChatFromCache } from '../../parts/chats/use-chats.ts'
import { useIsTabFocused } from '../../parts/chats/use-is-tab-focused.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { ChatComposer } from './chat-composer.tsx'
import { ChatThreadView } from './chat-thread-view.tsx'
import classes from './chats.module.css'
import { texts } from './texts.ts'
import { useSendChatMessages } from './use-send-chat-messages.ts'

const ChatForm = lazy(() => import('./chat-form.tsx').then((module) => ({ default: module.ChatForm })))
const ChatDetails = lazy(() => import('./chat-details.tsx').then((module) => ({ default: module.ChatDetails })))

type Props = { chat: Chat; typing: number[]; onBack?: () => void }

/** One chat: its members, its messages, and the composer. */
export function ChatConversation({ chat, typing, onBack }: Props) {
  const words = useTexts(texts)
  const me = useSession().user?.id ?? 0
  const [replyTo, setReplyTo] = useState<ChatMessage | null>(null)
  const [editing, setEditing] = useState<ChatMessage | null>(null)
  const { outgoing: outs, send, retry } = useSendChatMessages(chat)
  useMarkChatRead(chat, me)
  const details = useDetailsPane(me)
  const [form, setForm] = useState(false)
  const writers = typing.flatMap((id) => chat.users.find((one) => one.userId === id)?.user.name.split(' ')[0] ?? [])
  return (
    <>
      <section
        className={classes.talk}
        id="conversation"
        tabIndex={-1}
        aria-label={chat.title}
        data-region="conversation"
      >
        <ChatHeader
          chat={chat}
          me={me}
          onDetails={details.toggle}
          onEdit={() => setForm(true)}
          {...(onBack && { onBack })}
        />
        <ChatThreadView
          chat={chat}
          me={me}
          outgoing={outs}
          onReply={(message) => {
            setEditing(null)
            setReplyTo(message)
          }}
          onEdit={(message) => {
            setReplyTo(null)
            setEditing(message)
          }}
          onRetry={retry}
        />
        <div className={classes.writes} role="status">
          {writers.length > 0 && words.typing(writers.join(', '), writers.length)}
        </div>
        <ChatComposer
          chat={chat}
          ownId={me}
          replyTo={replyTo}
          editedMessage={editing}
          onStopEditing={() => {
            setReplyTo(null)
            setEditing(null)
          }}
          onSend={(text, files) => {
            send(text, files, replyTo)
            setReplyTo(null)
          }}
        />
      </section>
      <Suspense fallback={null}>
        {details.isOpen && (
          <ChatDetails
            chat={chat}
            me={me}
            isSidePane={details.isSidePane}
            onEdit={() => setForm(true)}
            onClose={details.toggle}
          />
        )}
        {form && <ChatForm chat={chat} onClose={() => setForm(false)} />}
      </Suspense>
    </>
  )
}

/**
 * From the breakpoint lg on, the details are beside the conversation, open or closed as the user left them; from this
 * width on they are open by default.
 */
const detailsOpenQuery = '(min-width: 87.5em)'
function useDetailsPane(me: number) {
  const beside = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  const key = `chat-details-${me}`
  const [wanted, setWanted] = useState(() => readStoredJson<unknown>(key, null))
  const [over, setOver] = useState(false)
  const open = beside ? (typeof wanted === 'boolean' ? wanted : matchMedia(detailsOpenQuery).matches) : over
  const toggle = () => {
    if (!beside) return setOver(!over)
    setWanted(!open)
    writeStoredJson(key, !open)
  }
  return { isSidePane: beside, isOpen: open, toggle }
}

/** Marks visible messages as read while the tab has the focus. */
function useMarkChatRead(chat: Chat, me: number): void {
  const client = useQueryClient()
  const looking = useIsTabFocused()
  const { id } = chat
  const unread = countUnread(chat, me) > 0 || (chat.mine?.mentions ?? 0) > 0
  useEffect(() => {
    if (!unread || !looking) return
    callApi(chatsApi.read, { params: { id } })
      .then((read) => putChat(client, read, me))
      // A failed call is repeated with the next message or the next focus.
      .catch(() => undefined)
  }, [client, id, me, unread, looking])
}

type HeadProps = { chat: Chat; me: number; onDetails: () => void; onEdit: () => void; onBack?: () => void }
function ChatHeader({ chat, me, onDetails, onEdit, onBack }: HeadProps) {
  const words = useTexts(texts)
  const online = chat.users.filter((one) => one.user.online).length
  const other = chat.users.find((one) => one.userId !== me)
  const second = chat.isDirect
    ? other?.user.online
      ? words.online
      : words.offline
    : words.count(chat.users.length, online)
  return (
    <header className={classes.bar}>
      {onBack && (
        <ActionIcon size={40} aria-label={words.back} onClick={onBack}>
          <IconArrowLeft size={20} stroke={1.75} />
        </ActionIcon>
      )}
      <h2 className="rc-sr">{chat.title}</h2>
      <button type="button" className={classes.who} onClick={onDetails} title={words.details}>
        <ChatAvatar chat={chat} ownId={me} />
        <span className={classes.words}>
          <span className={classes.title}>{chat.title}</span>
          <span className={classes.second}>{second}</span>
        </span>
      </button>
      <ChatActions chat={chat} me={me} onEdit={onEdit} />
    </header>
  )
}

/** For the owner: edit and delete. For all members: mute and leave. */
function ChatActions({ chat, me, onEdit }: { chat: Chat; me: number; onEdit: () => void }) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const navigate = useNavigate()
  const owns = chat.ownerId === me
  const muted = chat.mine?.muted ?? false
  const params = { id: chat.id }
  const icon = { size: 16, stroke: 1.75 }
  const attempt = (work: () => Promise<unknown>) => void work().catch((error: unknown) => toast.error(error))
  const mute = () =>
    attempt(async () => putChat(client, await callApi(chatsApi.mute, { params, body: { muted: !muted } }), me))
  const confirmAndRun = (title: string, consequence: string, verb: string, work: () => Promise<unknown>) =>
    attempt(async () => {
      if (!(await openConfirm({ title, consequence, verb }))) return
      await work()
      await navigate({ href: '/chats' })
      removeChatFromCache(client, chat.id)
    })
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon size={36} aria-label={words.more}>
          <IconDotsVertical size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={muted ? <IconBell {...icon} /> : <IconBellOff {...icon} />} onClick={mute}>
          {muted ? words.unmute : words.mute}
        </Menu.Item>
        {owns && (
          <Menu.Item leftSection={<IconEdit {...icon} />} onClick={onEdit}>
            {words.edit}
          </Menu.Item>
        )}
        {!chat.isDirect && (
          <Menu.Item
            leftSection={<IconDoorExit {...icon} />}
            onClick={() =>
              confirmAndRun(words.leaveAsk(chat.title), words.leaveLine, words.leave, () =>
                callApi(chatsApi.leave, { params }),
              )
            }
          >
            {words.leave}
          </Menu.Item>
        )}
        {owns && (
          <Menu.Item
            color="red"
            leftSection={<IconTrash {...icon} />}
            onClick={() =>
              confirmAndRun(words.removeAsk(chat.title), words.removeLine, words.remove, () =>
                callApi(chatsApi.remove, { params }),
              )
            }
          >
            {words.remove}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
