import { Button, Skeleton } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatNumber } from '../lib/format.ts'
import { useTexts } from '../lib/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import classes from './records.module.css'
import { SearchBox } from './search-box.tsx'
import { type RecordWords, recordTexts } from './texts.ts'
import type { RecordList } from './use-records.ts'

/** Filters and order of the list, shown beside the search. */
export type ListFilters = { content: ReactNode; isActive: boolean; clear: () => void }

type FrameWords = Pick<RecordWords, 'title' | 'counted' | 'search' | 'empty' | 'emptyLine'>
type Props<R> = {
  words: FrameWords
  records: RecordList<R>
  /** The primary button. */
  action?: ReactNode
  icon?: ReactNode
  hint?: ReactNode
  filters?: ListFilters | undefined
  /** Links to alternative views of the list. */
  views?: ReactNode
  /** Information about the whole list, between the header and the search. */
  beforeSearch?: ReactNode
  /** Whether the list is within a tab: the title is above it, and the button beside the search. */
  isEmbedded?: boolean | undefined
  skeleton?: ReactNode
  /** Called when the pointer enters, so that code that may be needed next can be preloaded. */
  onPointerEnter?: (() => void) | undefined
  children: (scrollRef: RefObject<HTMLDivElement | null>) => ReactNode
}

/** Everything around the rows of a list: header, search, the four states, paging, footer. */
export function RecordsFrame<R>({
  words,
  records,
  action,
  icon,
  hint,
  filters,
  views,
  beforeSearch,
  isEmbedded,
  skeleton,
  onPointerEnter,
  children,
}: Props<R>) {
  const scrollRef = useRef<HTMLDivElement>(null)
  const end = useNextPage(scrollRef, records)
  const { rows, typed, search, loadState, error } = records
  const known = loadState !== 'first' && !(error && rows.length === 0)
  // With an empty list the create button is only in the middle of the page.
  const begins = known && rows.length === 0 && !search && !filters?.isActive
  const next = begins ? null : action
  return (
    <div className={classes.page} data-embedded={isEmbedded || undefined} onPointerEnter={onPointerEnter}>
      {!isEmbedded && (
        <PageHeader title={words.title} count={known ? records.count : undefined} isLowerBound={records.isLowerBound}>
          {views}
          {next || (!views && <span className={classes.noAction} />)}
        </PageHeader>
      )}
      {beforeSearch}
      <div className={classes.tools}>
        <SearchBox label={words.search} value={typed} onChange={records.setTyped} onClear={records.clearSearch} />
        {filters?.content}
        <span className={classes.rest} />
        {hint && !begins && <span className={classes.hint}>{hint}</span>}
        {isEmbedded && next}
      </div>
      {loadState === 'again' && <div className={classes.busy} />}
      <section
        ref={scrollRef}
        className={classes.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={words.title}
        aria-busy={!!loadState}
      >
        {loadState === 'first' && <DelayedContent>{skeleton ?? <SkeletonRows />}</DelayedContent>}
        {rows.length === 0 && loadState !== 'first' && (
          <EmptyOrFailedList {...{ words, records, icon, action, search, filters }} />
        )}
        {rows.length > 0 && children(scrollRef)}
        <div ref={end} />
        {rows.length > 0 && <ListFooter words={words} records={records} />}
      </section>
    </div>
  )
}

/** Shows its content only after 200 ms. */
function DelayedContent({ children }: { children: ReactNode }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return late && children
}

function SkeletonRows() {
  return [62, 48, 70, 55, 40, 66, 52, 58].map((share, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: bones never move
    <div key={i} className={classes.bone}>
      <Skeleton height={12} width={`${share / 3}%`} />
      <Skeleton height={12} width={`${share / 2}%`} />
    </div>
  ))
}

type NothingProps<R> = Pick<Props<R>, 'records' | 'icon' | 'action' | 'filters'> & { words: FrameWords; search: string }
function EmptyOrFailedList<R>({ words, records, icon, action, search, filters }: NothingProps<R>) {
  const common = useTexts(recordTexts)
  if (records.error) return <ErrorState title={common.failed} error={records.error} onRetry={records.retry} />
  if (search) {
    return (
      <EmptyState
        icon={<IconSearchOff size={26} stroke={1.6} />}
        title={common.nothing(search)}
        line={common.nothingLine}
      >
        <Button variant="default" onClick={records.clearSearch}>
          {common.clearSearch}
        </Button>
      </EmptyState>
    )
  }
  if (filters?.isActive) {
    return (
      <EmptyState icon={<IconSearchOff size={26} stroke={1.6} />} title={common.filtered} line={common.filteredLine}>
        <Button variant="default" onClick={filters.clear}>
          {common.clearFilter}
        </Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={icon} title={words.empty} line={words.emptyLine}>
      {action}
    </EmptyState>
  )
}

function ListFooter<R>({ words, records }: { words: FrameWords; records: RecordList<R> }) {
  const common = useTexts(recordTexts)
  const { rows, count, hasMore, isLowerBound, hasMoreFailed, loadState, error } = records
  // The count is formatted with the thousands separator of the reader's language, for example in "10000 etiquetas".
  const countText = words.counted(count).replace(String(count), `${formatNumber(count)}${isLowerBound ? '+' : ''}`)
  if (hasMoreFailed || error) {
    return (
      <div className={classes.foot} role="alert">
        {hasMoreFailed ? common.moreFailed : common.staleList}
        <Button size="xs" variant="default" onClick={hasMoreFailed ? records.loadMore : records.retry}>
          {common.retry}
        </Button>
      </div>
    )
  }
  if (loadState === 'more') return <div className={classes.foot}>{common.loadingMore}</div>
  return (
    <div className={classes.foot}>
      {hasMore ? common.shownOf(formatNumber(rows.length), countText) : `${countText} · ${common.noMore}`}
    </div>
  )
}

/** Loads the next page when the end is within 100 px of the viewport (spec, section 9). */
function useNextPage<R>(scrollRef: RefObject<HTMLDivElement | null>, records: RecordList<R>) {
  const end = useRef<HTMLDivElement>(null)
  const reached = useEffectEvent(() => {
    if (records.hasMore && !records.hasMoreFailed) records.loadMore()
  })
  // Observed again after every page: an end that stays visible triggers no further callback.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const watch = new IntersectionObserver(([seen]) => seen?.isIntersecting && reached(), {
      root: scrollRef.current,
      rootMargin: '100px',
    })
    if (end.current) watch.observe(end.current)
    return () => watch.disconnect()
  }, [records.rows.length, records.loadState])
  return end
}
