import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { ChatRow } from '../../../parts/chats/chat-row.tsx'
import { chatTexts } from '../../../parts/chats/texts.ts'
import { useChats } from '../../../parts/chats/use-chats.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import told from '../../notifications/notifications.module.css'

export function ChatsPanel({ onNavigate }: { onNavigate: () => void }) {
  const words = useTexts(chatTexts)
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  const { data, isError, error, refetch } = useChats()
  return (
    <>
      <div className={told.head}>
        <h2 className={told.title}>{words.chats}</h2>
      </div>
      <div className={told.list}>
        {!data && isError && <ErrorState title={words.failed} error={error} onRetry={() => void refetch()} />}
        {!data && !isError && <div className={told.room} />}
        {data?.records.length === 0 && <EmptyState title={words.empty} line={words.emptyLine} />}
        {data?.records.map((chat) => (
          <ChatRow key={chat.id} chat={chat} me={me} onNavigate={onNavigate} />
        ))}
      </div>
      <button
        type="button"
        className={told.foot}
        onClick={() => {
          void navigate({ href: '/chats' })
          onNavigate()
        }}
      >
        {words.all}
      </button>
    </>
  )
}
