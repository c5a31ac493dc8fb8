import type { Chat } from '@recado/contract/chats'
import { IconBellOff, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatDay, formatTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { countUnread } from './apply-chat-news.ts'
import classes from './chat-row.module.css'
import { chatTexts } from './texts.ts'

/** A square avatar for a group chat, a round avatar with presence for a person. */
export function ChatAvatar({ chat, ownId, size = 36 }: { chat: Chat; ownId: number; size?: number }) {
  if (!chat.isDirect)
    return (
      <span className={classes.square} style={{ width: size, height: size }} aria-hidden="true">
        <IconUsers size={size / 2} stroke={1.75} />
      </span>
    )
  const other = chat.users.find((one) => one.userId !== ownId)
  return <PersonAvatar id={other?.userId ?? ownId} name={chat.title} size={size} online={other?.user.online ?? false} />
}

const formatDayOrTime = (moment: string) =>
  formatDay(moment) === formatDay(new Date()) ? formatTime(moment) : formatDay(moment)

type Props = { chat: Chat; me: number; isCurrent?: boolean; typing?: string; onNavigate?: () => void }

/** One chat in a list: name, last message, time, and unread count. */
export function ChatRow({ chat, me: ownId, isCurrent, typing, onNavigate }: Props) {
  const words = useTexts(chatTexts)
  const unread = countUnread(chat, ownId)
  const { muted = false, mentions = 0 } = chat.mine ?? {}
  return (
    <Link
      to={`/chats/${chat.uuid}`}
      className={classes.row ?? ''}
      data-chat={chat.id}
      data-unread={unread > 0 || undefined}
      {...(isCurrent && { 'aria-current': 'page' as const })}
      {...(onNavigate && { onClick: onNavigate })}
    >
      <ChatAvatar chat={chat} ownId={ownId} />
      <span className={classes.lines}>
        <span className={classes.line}>
          <span className={classes.name}>{chat.title}</span>
          {muted && (
            <span className={classes.mute} title={words.muted}>
              <IconBellOff size={14} stroke={1.75} role="img" aria-label={words.muted} />
            </span>
          )}
          <time className={classes.time} dateTime={chat.updatedAt}>
            {formatDayOrTime(chat.updatedAt)}
          </time>
        </span>
        <span className={classes.line}>
          <span className={classes.text}>{typing ?? formatLastMessage(chat, ownId, words)}</span>
          {unread > 0 && (
            <span className={classes.marks}>
              {mentions > 0 && (
                <span title={words.mentioned}>
                  <CountBadge value="@" kind="accent" />
                </span>
              )}
              <span aria-hidden="true">
                <CountBadge value={unread > 99 ? '99+' : unread} {...(!muted && { kind: 'accent' as const })} />
              </span>
              <span className="rc-sr">{words.unread(unread)}</span>
            </span>
          )}
        </span>
      </span>
    </Link>
  )
}

/**
 * Formats the last message of a chat, for example "Mateo: Ahí lo veo". The name is left out in a direct chat and for
 * the user's own message.
 */
function formatLastMessage(
  chat: Chat,
  ownId: number,
  words: { you: string; deleted: string; noWords: string },
): string {
  if (!chat.lastMessage) return words.noWords
  const at = chat.lastMessage.indexOf(': ')
  const text = chat.lastMessage.slice(at + 2) || words.deleted
  if (chat.lastSenderId === ownId) return `${words.you}: ${text}`
  return chat.isDirect ? text : `${chat.lastMessage.slice(0, at).split(' ')[0]}: ${text}`
}
