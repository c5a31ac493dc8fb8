import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { isShortcutPressed, isSingleKey } from '../../../lib/shortcut-keys.ts'
import { areShortcutsEnabled, confirmWithEnter } from '../../../lib/shortcuts.ts'
import { currentTexts, useTexts } from '../../../lib/texts.ts'
import { useNoticeKindByTicket } from '../../../parts/notices.ts'
import { usePinnedIds } from '../../../parts/ticket/pins.ts'
import { resolveKeys } from '../../../parts/ticket/resolve-keys.ts'
import { formatReturnGroup } from '../../../parts/ticket/snooze/format-return.ts'
import { ticketActionTexts } from '../../../parts/ticket/texts.ts'
import { openPriorityDialog, openSnoozeDialog } from '../../../parts/ticket/ticket-dialog-state.ts'
import {
  checkAll,
  checkRange,
  clearChecked,
  extendChecked,
  getCheckedTickets,
  requestBatchAction,
  toggleChecked,
  useCheckedTickets,
} from '../selection/checked-tickets.ts'
import { selectionHeadTexts } from '../selection/selection-head-texts.ts'
import type { RowActionHandlers } from './row-action-handlers.ts'
import type { ShownRow } from './steady-rows.ts'
import { ticketListTexts } from './texts.ts'
import { TicketListFooter } from './ticket-list-footer.tsx'
import { TicketRow } from './ticket-row.tsx'
import classes from './ticket-rows.module.css'
import { useRovingFocus } from './use-roving-focus.ts'
import { useSwipeActions } from './use-swipe-actions.ts'
import type { TicketListState } from './use-ticket-list.ts'
import { useTodayAndMinute } from './use-today-and-minute.ts'

/** Design 7 and 10: the height of a row with its border. */
const rowHeightsPx = { small: 81, large: 85 }
/** The band below the pinned rows (design 16). */
const bandHeightPx = 6
const headingHeightPx = 28
/** The distance from the end at which the next page loads (spec, section 9). */
const loadMoreWithinPx = 100

type Props = {
  label: string
  visibleRows: ShownRow[]
  list: TicketListState
  scrollRef: RefObject<HTMLDivElement | null>
  width: number
  isLarge: boolean
  /** Whether the rows are grouped by the day of their return. */
  isGrouped: boolean
  selected: string | undefined
  actions: RowActionHandlers
  stepRef: RefObject<((by: number) => void) | null>
}

/** A virtualized list: only visible rows are rendered. */
export function TicketRows({
  label,
  visibleRows,
  list,
  scrollRef,
  width,
  isLarge,
  isGrouped,
  selected,
  actions,
  stepRef,
}: Props) {
  const words = useTexts(ticketListTexts)
  const { today, minute } = useTodayAndMinute()
  const noticeKinds = useNoticeKindByTicket()
  const height = rowHeightsPx[isLarge ? 'large' : 'small']
  const pinnedIds = usePinnedIds()
  const pinnedCount = countLeadingPins(visibleRows, pinnedIds)
  // A band separates the pinned rows from the others, and a heading stands above each group of snoozed rows.
  const hasBandAfter = (index: number) => index === pinnedCount - 1 && pinnedCount < visibleRows.length
  const headings = useMemo(() => groupHeadings(visibleRows, isGrouped), [visibleRows, isGrouped])
  const virtual = useVirtualizer({
    count: visibleRows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: (index) =>
      height + (hasBandAfter(index) ? bandHeightPx : 0) + (headings.has(index) ? headingHeightPx : 0),
    overscan: 6,
    // React renders in time without flushSync, which would render twice.
    useFlushSync: false,
  })
  const isBanded = pinnedCount > 0 && pinnedCount < visibleRows.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are cached by index, and the band moves with the pins.
  useLayoutEffect(() => virtual.measure(), [pinnedCount, isBanded, headings])
  const items = virtual.getVirtualItems()
  const total = virtual.getTotalSize()
  const selectedId = useMemo(
    () => visibleRows.find(({ ticket }) => ticket.uuid === selected)?.ticket.id ?? 0,
    [visibleRows, selected],
  )
  const roving = useRovingFocus({ visibleRows: visibleRows, scrollRef: scrollRef, virtual, selected: selectedId })
  stepRef.current = roving.step
  const swipe = useSwipeActions(scrollRef, (id) => {
    const row = visibleRows.find(({ ticket }) => ticket.id === id)
    if (row && !row.gone) toggleChecked(row.ticket)
  })
  const { tickets: checkedTickets } = useCheckedTickets()
  const checkableTickets = () => visibleRows.flatMap(({ ticket, gone }) => (gone ? [] : [ticket]))
  const onCheck = useCallback(
    (ticket: ShownRow['ticket'], isRange: boolean) =>
      isRange ? checkRange(checkableTicketsRef.current(), ticket) : toggleChecked(ticket),
    [],
  )
  const checkableTicketsRef = useRef(checkableTickets)
  checkableTicketsRef.current = checkableTickets

  const bottom = (virtual.scrollOffset ?? 0) + (virtual.scrollRect?.height ?? 0)
  const near = bottom >= total - loadMoreWithinPx
  const { run, failed } = list.nextPage
  useEffect(() => {
    if (near && list.hasMore && !failed) run()
  }, [near, list.hasMore, failed, run])

  const onKeyDown = (event: KeyboardEvent) => {
    const row = visibleRows[roving.active]
    const handled =
      runSelectionKey(event, row, visibleRows[roving.active + (event.key === 'ArrowUp' ? -1 : 1)], {
        checkAll: () => checkAll(checkableTickets()),
        step: roving.step,
      }) ||
      roving.onKeyDown(event) ||
      (row && !row.gone && runRowShortcut(event, row.ticket, actions))
    if (!handled) return
    event.preventDefault()
    // The key acts on this row, not on the open ticket, so the event stops here.
    event.stopPropagation()
  }
  return (
    <>
      <ul
        // biome-ignore lint/a11y/noRedundantRoles: Safari forgets a list without its dots.
        role="list"
        aria-label={label}
        className={classes.rows}
        style={{ height: total }}
        onKeyDown={onKeyDown}
        onFocus={(event) => roving.onFocus(event.target)}
        onBlur={(event) => roving.onBlur(event.target)}
        {...swipe.handlers}
      >
        {items.map((item) => {
          const row = visibleRows[item.index]
          if (!row) return null
          return (
            <li
              key={row.ticket.id}
              className={classes.item}
              data-band={hasBandAfter(item.index) || undefined}
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              data-ticket={row.ticket.id}
              data-heading={headings.has(item.index) || undefined}
              aria-posinset={item.index + 1}
              aria-setsize={list.hasMore ? -1 : visibleRows.length}
            >
              {headings.has(item.index) && <h2 className={classes.heading}>{headings.get(item.index)}</h2>}
              <TicketRow
                ticket={row.ticket}
                isGone={row.gone}
                selected={row.ticket.uuid === selected}
                isActive={item.index === roving.active}
                isSwiped={swipe.swipedId === row.ticket.id}
                isPinned={pinnedIds.has(row.ticket.id)}
                isChecked={checkedTickets.has(row.ticket.id)}
                isChecking={checkedTickets.size > 0}
                onCheck={onCheck}
                width={width}
                isLarge={isLarge}
                today={today}
                minute={minute}
                noticeKind={noticeKinds.get(row.ticket.id)}
                actions={actions}
              />
            </li>
          )
        })}
      </ul>
      <TicketListFooter nextPage={list.nextPage} hasMore={list.hasMore} count={visibleRows.length} words={words} />
    </>
  )
}

/** The headings of groups of snoozed rows by the index of their first row. */
function groupHeadings(rows: ShownRow[], isGrouped: boolean): ReadonlyMap<number, string> {
  const headings = new Map<number, string>()
  if (!isGrouped) return headings
  let last = ''
  for (const [index, { ticket }] of rows.entries()) {
    if (!ticket.snooze) continue
    const heading = formatReturnGroup(ticket.snooze.until)
    if (heading !== last) headings.set(index, heading)
    last = heading
  }
  return headings
}

function countLeadingPins(rows: ShownRow[], pinnedIds: ReadonlySet<number>): number {
  const at = rows.findIndex(({ ticket }) => !pinnedIds.has(ticket.id))
  return at < 0 ? rows.length : at
}

const batchKeys = {
  ...({ a: 'assign', q: 'queue', l: 'tags', p: 'priority', h: 'snooze', m: 'macro', e: 'resolve' } as const),
  E: 'farewell',
} as const

/** Keys that check rows, and while rows are checked, keys that act on all of them (design 16). */
function runSelectionKey(
  event: KeyboardEvent,
  row: ShownRow | undefined,
  next: ShownRow | undefined,
  actions: { checkAll: () => void; step: (by: number) => void },
): boolean {
  const isOnRow = event.target instanceof Element && event.target.matches('[data-opener]')
  if (!isOnRow || !row) return false
  if (isShortcutPressed('mod+a', event)) {
    actions.checkAll()
    return true
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.shiftKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    if (next && !row.gone && !next.gone) extendChecked(row.ticket, next.ticket)
    actions.step(event.key === 'ArrowDown' ? 1 : -1)
    return true
  }
  const { tickets, wholeList, batchId } = getCheckedTickets()
  if (event.key === 'Escape' && (tickets.size > 0 || batchId !== null)) {
    clearChecked()
    return true
  }
  if (!isSingleKey(event.key) || !areShortcutsEnabled()) return false
  if (event.key === 'x') {
    if (!row.gone) toggleChecked(row.ticket)
    return true
  }
  if (tickets.size === 0 || !Object.hasOwn(batchKeys, event.key)) return false
  const kind = batchKeys[event.key as keyof typeof batchKeys]
  const request = () => requestBatchAction(kind)
  if (kind !== 'resolve') request()
  else confirmWithEnter(currentTexts(selectionHeadTexts).resolve(wholeList?.count ?? tickets.size), request)
  return true
}

/** Keys that act on a ticket: on a row they must not act on the open ticket. */
const ticketKeys = ['a', 't', 'u', 'p', 'f', 'h']

/** Shortcuts on the focused row (design 11). */
function runRowShortcut(event: KeyboardEvent, ticket: ShownRow['ticket'], actions: RowActionHandlers): boolean {
  if (isShortcutPressed(resolveKeys, event)) {
    if (ticket.status !== 'closed') actions.resolve(ticket)
    return true
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if (!isSingleKey(event.key) || !areShortcutsEnabled()) return false
  const words = currentTexts(ticketActionTexts).keys
  const isOnRow = event.target instanceof Element && event.target.matches('[data-opener]')
  if (isOnRow && event.key === 'a' && ticket.status === 'pending')
    confirmWithEnter(`${words.accept}: ${ticket.contact.name}`, () => actions.accept(ticket))
  else if (isOnRow && event.key === 't' && ticket.status !== 'closed') actions.transfer(ticket)
  else if (isOnRow && event.key === 'p' && ticket.status !== 'closed') openPriorityDialog(ticket)
  else if (isOnRow && event.key === 'h' && ticket.status !== 'closed') openSnoozeDialog(ticket)
  else if (isOnRow && event.key === 'f' && ticket.status !== 'closed') actions.togglePin(ticket)
  return ticketKeys.includes(event.key)
}
