import { ActionIcon } from '@mantine/core'
import { type Chat, type ChatFile, chatsApi, findTicketNumbers } from '@recado/contract/chats'
import { topics } from '@recado/contract/live'
import { IconMessageCircle, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatDay, formatNumber } from '../../lib/format.ts'
import { useLiveTopic, useResync } from '../../lib/live.ts'
import { mediaSrc } from '../../lib/media-src.ts'
import { useRefetchQuery } from '../../lib/query-cache.ts'
import { useTexts } from '../../lib/texts.ts'
import { fileExtensionLabel, formatFileSize } from '../../records/fields/file-kind.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import classes from './chat-details.module.css'
import { texts } from './texts.ts'
import { useOpenDirectChat } from './use-open-direct-chat.ts'

type Props = {
  chat: Chat
  me: number
  /** The details are beside the conversation if there is room, otherwise over it. */
  isSidePane: boolean
  onEdit: () => void
  onClose: () => void
}

/** The members of this chat, the mentioned tickets, and the files. */
export function ChatDetails({ chat, me, isSidePane, onEdit, onClose }: Props) {
  const words = useTexts(texts)
  const leave = () => !isSidePane && onClose()
  const inside = (
    <>
      <ChatMembers chat={chat} me={me} onEdit={onEdit} onNavigate={leave} />
      <TicketsAndFiles chat={chat} onNavigate={leave} />
    </>
  )
  if (!isSidePane)
    return (
      <Sheet opened onClose={onClose} title={words.details} size={420}>
        <div className={classes.sheet}>{inside}</div>
      </Sheet>
    )
  return (
    <aside className={classes.column} aria-label={words.details}>
      <header className={classes.head}>
        <h2>{words.details}</h2>
        <ActionIcon size={32} aria-label={words.closeDetails} onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </header>
      <div className={classes.body}>{inside}</div>
    </aside>
  )
}

function DetailsSection({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <div className={classes.title}>
        <h3>{title}</h3>
        {action}
      </div>
      {children}
    </section>
  )
}

type PeopleProps = { chat: Chat; me: number; onEdit: () => void; onNavigate: () => void }
/** Each name links to the direct chat with that person. */
function ChatMembers({ chat, me, onEdit, onNavigate }: PeopleProps) {
  const words = useTexts(texts)
  const direct = useOpenDirectChat()
  const edit = chat.ownerId === me && (
    <button type="button" className={classes.deed} onClick={onEdit}>
      {words.editShort}
    </button>
  )
  return (
    <DetailsSection title={words.people} action={edit}>
      <ul className={classes.list}>
        {chat.users.map(({ userId, user }) => (
          <li key={userId} className={classes.person}>
            <PersonAvatar id={userId} name={user.name} size={28} online={user.online} />
            <span className={classes.name} title={user.name}>
              {user.name}
              {userId === me && ` (${words.you})`}
            </span>
            {userId === chat.ownerId && <small>{words.owner}</small>}
            {userId !== me && !chat.isDirect && (
              <ActionIcon
                size={28}
                className={classes.talkTo ?? ''}
                aria-label={words.startWith(user.name)}
                onClick={() => {
                  onNavigate()
                  void direct(userId)
                }}
              >
                <IconMessageCircle size={18} stroke={1.75} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </DetailsSection>
  )
}

/** Tickets and files of a chat, reloaded when a message that contains a ticket or a file is sent or deleted. */
function TicketsAndFiles({ chat: { id }, onNavigate }: { chat: Chat; onNavigate: () => void }) {
  const words = useTexts(texts)
  const key = ['chat-details', id]
  const refetch = useRefetchQuery(key)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(chatsApi.details, { params: { id } }, { signal }),
  })
  useLiveTopic(topics.chat, (news) => {
    if (news.action !== 'new-message' || news.newMessage.chatId !== id) return
    const { mediaUrl, message } = news.newMessage
    if (mediaUrl || findTicketNumbers(message).length > 0) refetch()
  })
  useLiveTopic(topics.chatMessage, ({ message }) => {
    if (message.chatId === id) refetch()
  })
  useResync(refetch)
  if (query.isError)
    return <ErrorState title={words.detailsFailed} error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return null
  const { tickets, files } = query.data
  return (
    <>
      <DetailsSection title={words.cited}>
        {tickets.length === 0 && <p className={classes.none}>{words.noCited}</p>}
        <ul className={classes.list}>
          {tickets.map((ticket) => (
            <li key={ticket.id}>
              <Link to={`/tickets/${ticket.uuid}`} className={classes.ticket ?? ''}>
                <ColorDot color={ticket.queue?.color ?? null} size={10} />
                <span className={classes.name}>{ticket.contact.name}</span>
                <small>#{formatNumber(ticket.number)}</small>
              </Link>
            </li>
          ))}
        </ul>
      </DetailsSection>
      <DetailsSection title={words.files}>
        {files.length === 0 && <p className={classes.none}>{words.noFiles}</p>}
        <ul className={classes.list}>
          {files.map((file) => (
            <li key={file.id}>
              <ChatFileLink file={file} onNavigate={onNavigate} />
            </li>
          ))}
        </ul>
      </DetailsSection>
    </>
  )
}

/** Links to the message with the file. */
function ChatFileLink({ file: { id, mediaType, mediaUrl, mediaName, mediaSize, createdAt }, onNavigate }: FileProps) {
  const ending = fileExtensionLabel(mediaName)
  return (
    <Link to="." hash={String(id)} className={classes.file ?? ''} title={mediaName} onClick={onNavigate}>
      {mediaType === 'image' ? (
        <img className={classes.picture} src={mediaSrc(mediaUrl)} alt="" loading="lazy" />
      ) : (
        <span className={classes.ending} aria-hidden="true">
          {ending || '?'}
        </span>
      )}
      <span className={classes.words}>
        <span className={classes.name}>{mediaName}</span>
        <small>
          {[formatDay(createdAt), mediaSize !== null && formatFileSize(mediaSize)].filter(Boolean).join(' · ')}
        </small>
      </span>
    </Link>
  )
}
type FileProps = { file: ChatFile; onNavigate: () => void }
