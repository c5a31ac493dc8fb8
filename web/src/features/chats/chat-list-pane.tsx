import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { chatsApi } from '@recado/contract/chats'
import { fold } from '@recado/contract/text/fold'
import { IconMessageCircle, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, type UIEvent, useRef, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { ChatRow } from '../../parts/chats/chat-row.tsx'
import { chatTexts } from '../../parts/chats/texts.ts'
import { loadMoreChats, useChats } from '../../parts/chats/use-chats.ts'
import { useAllUsers } from '../../parts/select-option-queries.ts'
import { SearchBox } from '../../records/search-box.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import classes from './chats.module.css'
import { texts } from './texts.ts'
import { useOpenDirectChat } from './use-open-direct-chat.ts'
import type { TypingMembers } from './use-typing-members.ts'

const ChatForm = lazy(() => import('./chat-form.tsx').then((module) => ({ default: module.ChatForm })))

/** Spec, section 9: distance from the end at which the next page loads. */
const loadMoreWithinPx = 100

export function ChatListPane({ selected, typing }: { selected: string | undefined; typing: TypingMembers }) {
  const words = useTexts(texts)
  const shared = useTexts(chatTexts)
  const [making, setMaking] = useState(false)
  const [search, setSearch] = useState('')
  const create = () => setMaking(true)
  return (
    <section className={classes.list} aria-label={words.list} data-region="chats">
      <div className={classes.head}>
        <h1>{shared.chats}</h1>
        <Tooltip label={words.create}>
          <ActionIcon variant="default" size={32} aria-label={words.create} onClick={create}>
            <IconPlus size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={classes.search}>
        <SearchBox label={words.search} value={search} onChange={setSearch} onClear={() => setSearch('')} />
      </div>
      {search.trim() ? (
        <ChatSearchResults search={search.trim()} selected={selected} onDone={() => setSearch('')} />
      ) : (
        <AllChats selected={selected} typing={typing} onCreate={create} />
      )}
      {making && (
        <Suspense fallback={null}>
          <ChatForm onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </section>
  )
}

type AllProps = { selected: string | undefined; typing: TypingMembers; onCreate: () => void }

function AllChats({ selected, typing, onCreate }: AllProps) {
  const words = useTexts(texts)
  const shared = useTexts(chatTexts)
  const me = useSession().user?.id ?? 0
  const client = useQueryClient()
  const busy = useRef(false)
  const { data, isError, error, refetch } = useChats()
  const onScroll = ({ currentTarget: box }: UIEvent<HTMLDivElement>) => {
    if (busy.current || !data?.hasMore || box.scrollHeight - box.scrollTop - box.clientHeight > loadMoreWithinPx) return
    busy.current = true
    loadMoreChats(client, data)
      .catch((error: unknown) => toast.error(error))
      .finally(() => {
        busy.current = false
      })
  }
  if (!data)
    return isError ? (
      <ErrorState title={shared.failed} error={error} onRetry={() => void refetch()} />
    ) : (
      <div className={classes.rows} aria-hidden="true">
        {[0, 1, 2, 3].map((line) => (
          <div key={line} className={classes.person}>
            <Skeleton circle height={36} style={{ flex: 'none', width: 36 }} />
            <Skeleton height={12} />
          </div>
        ))}
      </div>
    )
  if (data.records.length === 0)
    return (
      <div className={classes.rows}>
        <EmptyState title={shared.empty} line={shared.emptyLine} icon={<IconMessageCircle size={26} stroke={1.6} />}>
          <Button onClick={onCreate}>{words.create}</Button>
        </EmptyState>
      </div>
    )
  return (
    <div className={classes.rows} onScroll={onScroll} tabIndex={-1}>
      {data.records.map((chat) => (
        <ChatRow
          key={chat.id}
          chat={chat}
          me={me}
          isCurrent={chat.uuid === selected}
          {...((typing[chat.id] ?? []).length > 0 && { typing: shared.typing })}
        />
      ))}
    </div>
  )
}

/** Chats, people and messages that match the search. */
function ChatSearchResults({
  search,
  selected,
  onDone,
}: {
  search: string
  selected: string | undefined
  onDone: () => void
}) {
  const words = useTexts(texts)
  const shared = useTexts(chatTexts)
  const me = useSession().user?.id ?? 0
  const [debouncedSearch] = useDebouncedValue(search, 250)
  const direct = useOpenDirectChat()
  const chats = useQuery({
    queryKey: ['chats-found', debouncedSearch],
    queryFn: ({ signal }) => callApi(chatsApi.list, { query: { searchParam: debouncedSearch } }, { signal }),
    placeholderData: keepPreviousData,
  })
  const messages = useInfiniteQuery({
    queryKey: ['chat-messages-found', debouncedSearch],
    queryFn: ({ signal, pageParam: before }) =>
      callApi(chatsApi.found, { query: { searchParam: debouncedSearch, before } }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ records, hasMore }) => (hasMore ? records.at(-1)?.id : undefined),
    enabled: debouncedSearch.length > 1,
    placeholderData: keepPreviousData,
  })
  const everyone = useAllUsers()
  const people = (everyone.data ?? [])
    .filter((one) => one.active && one.id !== me && fold(one.name).includes(fold(debouncedSearch)))
    .slice(0, 8)
  const rows = chats.data?.records ?? []
  const hits = debouncedSearch.length > 1 ? (messages.data?.pages.flatMap((page) => page.records) ?? []) : []
  const failed = [chats, messages, everyone].find((one) => one.isError)
  const isRead = chats.isSuccess && everyone.isSuccess && (debouncedSearch.length < 2 || messages.isSuccess)
  const nothing = isRead && rows.length + people.length + hits.length === 0
  return (
    <div className={classes.rows}>
      {failed && <ErrorState title={shared.failed} error={failed.error} onRetry={() => void failed.refetch()} />}
      {rows.map((chat) => (
        <ChatRow key={chat.id} chat={chat} me={me} isCurrent={chat.uuid === selected} onNavigate={onDone} />
      ))}
      {people.length > 0 && <h2 className={classes.section}>{words.people}</h2>}
      {people.map((one) => (
        <button
          key={one.id}
          type="button"
          className={classes.person}
          onClick={() => {
            onDone()
            void direct(one.id)
          }}
        >
          <PersonAvatar id={one.id} name={one.name} size={32} online={one.online} />
          {one.name}
        </button>
      ))}
      {hits.length > 0 && <h2 className={classes.section}>{words.found}</h2>}
      {hits.map((hit) => (
        <Link
          key={hit.id}
          to={`/chats/${hit.chat.uuid}`}
          hash={String(hit.id)}
          className={classes.hit ?? ''}
          onClick={onDone}
        >
          <b>{hit.chat.title}</b>
          <span>
            {hit.sender.name}: {hit.message || hit.mediaName}
          </span>
        </Link>
      ))}
      {hits.length > 0 && messages.hasNextPage && (
        <Button
          variant="subtle"
          fullWidth
          loading={messages.isFetchingNextPage}
          onClick={() => void messages.fetchNextPage()}
        >
          {words.olderFound}
        </Button>
      )}
      {nothing && !failed && <p className={classes.nothing}>{words.nothing}</p>}
    </div>
  )
}
