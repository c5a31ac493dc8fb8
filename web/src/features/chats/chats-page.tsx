import { useMediaQuery } from '@mantine/hooks'
import { chatsApi } from '@recado/contract/chats'
import { IconMessageCircle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { putChat, useChats } from '../../parts/chats/use-chats.ts'
import { OfflineBar } from '../../parts/offline-bar.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ChatListPane } from './chat-list-pane.tsx'
import classes from './chats.module.css'
import { texts } from './texts.ts'
import { type TypingMembers, useTypingMembers } from './use-typing-members.ts'

const ChatConversation = lazy(() =>
  import('./chat-conversation.tsx').then((module) => ({ default: module.ChatConversation })),
)

/** The list and one conversation: side by side from md on; on narrower screens one at a time. */
export function ChatsPage() {
  const { chatId } = useParams({ strict: false }) as { chatId?: string }
  const wide = useMediaQuery('(min-width: 56.25em)', undefined, { getInitialValueInEffect: false })
  const navigate = useNavigate()
  const words = useTexts(texts)
  const typing = useTypingMembers()
  const opened = chatId !== undefined && (
    <OpenedChat
      key={chatId}
      uuid={chatId}
      typing={typing}
      {...(!wide && { onBack: () => void navigate({ href: '/chats' }) })}
    />
  )
  if (wide)
    return (
      <div className={classes.columns}>
        <ChatListPane selected={chatId} typing={typing} />
        {opened || (
          <div className={classes.none}>
            <EmptyState
              title={words.choose}
              line={words.chooseLine}
              icon={<IconMessageCircle size={26} stroke={1.6} />}
            />
          </div>
        )}
      </div>
    )
  return (
    <>
      <div style={{ height: '100%' }} inert={chatId !== undefined}>
        <ChatListPane selected={chatId} typing={typing} />
      </div>
      {opened && (
        <div className={classes.over}>
          <OfflineBar keepsMessages />
          {opened}
        </div>
      )}
    </>
  )
}

type OpenedProps = { uuid: string; typing: TypingMembers; onBack?: () => void }

/** A chat by its URL: from the list, or loaded. A removed member is notified and no longer sees the chat. */
function OpenedChat({ uuid, typing, onBack }: OpenedProps) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const me = useSession().user?.id ?? 0
  const { data: chats } = useChats()
  const chat = chats?.records.find((one) => one.uuid === uuid)
  const chatQuery = useQuery({
    queryKey: ['chat', uuid],
    queryFn: async () => {
      const found = await callApi(chatsApi.byUuid, { params: { uuid } })
      putChat(client, found, me)
      return found
    },
    enabled: chats !== undefined && !chat,
    gcTime: 0,
    retry: false,
  })
  if (chat)
    return (
      <Suspense fallback={<div className={classes.talk} />}>
        <ChatConversation chat={chat} typing={typing[chat.id] ?? []} {...(onBack && { onBack })} />
      </Suspense>
    )
  return (
    <div className={classes.talk}>
      {chatQuery.isError && (
        <ErrorState title={words.gone} error={chatQuery.error} onRetry={onBack ?? (() => void chatQuery.refetch())} />
      )}
    </div>
  )
}
