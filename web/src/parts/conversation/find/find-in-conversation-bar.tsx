import { ActionIcon, Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { messagesApi } from '@recado/contract/messages'
import { IconChevronDown, IconChevronUp, IconSearch, IconX } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './find-in-conversation-bar.module.css'
import { findTexts } from './texts.ts'
import { useHighlightMatches } from './use-highlight-matches.ts'

const searchDebounceMs = 250
const noHits: { id: string }[] = []

type Props = {
  ticketId: number
  /** The text that was typed before the bar was loaded. */
  initialText: RefObject<string>
  rows: RefObject<HTMLElement | null>
  /** Goes to a message, loading older pages if necessary. */
  onJump: (id: string) => Promise<void>
  onClose: () => void
}

/** Searches a conversation, newest first, and moves from hit to hit. */
export function FindInConversationBar({ ticketId, initialText, rows, onJump, onClose }: Props) {
  const words = useTexts(findTexts)
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(() => initialText.current)
  // The next search in this conversation begins empty.
  useEffect(
    () => () => {
      initialText.current = ''
    },
    [initialText],
  )
  const [search] = useDebouncedValue(typed.trim(), searchDebounceMs)
  const hitsQuery = useInfiniteQuery({
    queryKey: ['find-in-thread', ticketId, search],
    queryFn: ({ signal, pageParam: before }) =>
      callApi(messagesApi.search, { params: { ticketId }, query: { searchParam: search, before } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ hits, hasMore }) => (hasMore ? hits.at(-1)?.id : undefined),
    enabled: search !== '',
    staleTime: 0,
    gcTime: 0,
  })
  const pages = search === '' ? undefined : hitsQuery.data?.pages
  const hits = useMemo(() => pages?.flatMap((page) => page.hits) ?? noHits, [pages])
  const { hitIndex: at, busy, step: walk } = useHitNavigation(hits, pages?.[0], onJump)
  // The next page is loaded before the user reaches the last loaded hit.
  const isNearEnd = at >= hits.length - 5 && hitsQuery.hasNextPage && !hitsQuery.isFetching && !hitsQuery.isError
  useEffect(() => {
    if (isNearEnd) void hitsQuery.fetchNextPage()
  }, [isNearEnd, hitsQuery.fetchNextPage])
  const now = hits[at]?.id
  useHighlightMatches(rows, hits, search, now)
  useRestoreFocus(field)

  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    // Pressing Ctrl F again opens the browser's own search.
    if (event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey)) return event.stopPropagation()
    if (event.key === 'Escape') onClose()
    else if (event.key === 'ArrowUp' || (event.key === 'Enter' && !event.shiftKey)) walk(1)
    else if (event.key === 'ArrowDown' || event.key === 'Enter') walk(-1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const all = `${formatNumber(hits.length)}${hitsQuery.hasNextPage ? '+' : ''}`
  const statusText = () => {
    if (search === '') return ''
    if (hitsQuery.isError) return words.failed
    if (hits.length > 0) return words.place(at + 1, all)
    return hitsQuery.isSuccess ? words.none : ''
  }
  return (
    <search className={classes.bar} aria-label={words.label}>
      <IconSearch size={16} stroke={1.75} aria-hidden="true" />
      <input
        ref={field}
        className={classes.field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        maxLength={100}
        placeholder={words.label}
        aria-label={words.label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={press}
      />
      {(busy || (hitsQuery.isFetching && search !== '')) && <Loader size={14} />}
      <span className={classes.told} role="status">
        {statusText()}
      </span>
      {hitsQuery.isError && (
        <button type="button" className={classes.retry} onClick={() => void hitsQuery.refetch()}>
          {words.retry}
        </button>
      )}
      <ActionIcon
        size={32}
        aria-label={words.older}
        title={words.older}
        disabled={at >= hits.length - 1}
        onClick={() => walk(1)}
      >
        <IconChevronUp size={18} stroke={1.75} />
      </ActionIcon>
      <ActionIcon size={32} aria-label={words.newer} title={words.newer} disabled={at === 0} onClick={() => walk(-1)}>
        <IconChevronDown size={18} stroke={1.75} />
      </ActionIcon>
      <ActionIcon size={32} aria-label={words.close} title={words.close} onClick={onClose}>
        <IconX size={18} stroke={1.75} />
      </ActionIcon>
    </search>
  )
}

/** The current hit. The newest hit is opened as soon as a search has results. */
function useHitNavigation(
  hits: { id: string }[],
  firstPage: object | undefined,
  onJump: (id: string) => Promise<void>,
) {
  const [at, setAt] = useState(0)
  const [busy, setBusy] = useState(false)
  const goToHit = useEffectEvent(async (to: number) => {
    const hit = hits[to]
    setAt(hit ? to : 0)
    if (!hit) return
    setBusy(true)
    await onJump(hit.id)
    setBusy(false)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another first page is another search; further pages are not
  useEffect(() => void goToHit(0), [firstPage])
  const walk = (by: 1 | -1) => {
    const to = at + by
    if (busy || to < 0 || to >= hits.length) return
    void goToHit(to)
  }
  return { hitIndex: Math.min(at, Math.max(0, hits.length - 1)), busy, step: walk }
}

/** Takes the focus on opening and returns it on closing. */
function useRestoreFocus(field: RefObject<HTMLInputElement | null>): void {
  // Before the next key: the field that received keys while the bar loaded is gone, and nothing has the focus.
  useLayoutEffect(() => {
    const before = document.activeElement
    field.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus()
    }
  }, [field])
}
