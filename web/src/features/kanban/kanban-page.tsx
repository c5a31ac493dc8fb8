import { ActionIcon, Button, Popover } from '@mantine/core'
import { useDebouncedValue, useInterval } from '@mantine/hooks'
import { type BoardCard, boardApi, type Lane } from '@recado/contract/board/board'
import { IconDots, IconFilter, IconLayoutKanban, IconPlus } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { Can, useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { TicketDialogs } from '../../parts/conversation/dialogs/ticket-dialogs.tsx'
import { useTicketNews } from '../../parts/ticket/use-ticket-news.ts'
import { SearchBox } from '../../records/search-box.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { type CarriedLane, DragBoard, useCarryLane } from './drag-board.tsx'
import classes from './kanban.module.css'
import { applyPendingMoves, type BoardFilter, type KanbanBoard, type LaneId } from './kanban-board.ts'
import { LaneColumn } from './lane-column.tsx'
import { kanbanTexts } from './texts.ts'
import { useBoard } from './use-board.ts'
import { useBoardView } from './use-board-view.ts'
import { useCarryCard } from './use-carry-card.ts'
import { useMoveCards } from './use-move-cards.ts'

const BoardFilters = lazy(() => import('./board-filters.tsx').then((module) => ({ default: module.BoardFilters })))
const LaneMenu = lazy(() => import('./lane-menu.tsx').then((module) => ({ default: module.LaneMenu })))
const NewLaneForm = lazy(() => import('./new-lane-form.tsx').then((module) => ({ default: module.NewLaneForm })))
const TicketPane = lazy(() => import('./ticket-pane.tsx').then((module) => ({ default: module.TicketPane })))

const searchDebounceMs = 250
/** Waiting times are shown in minutes, so a refresh every 30 seconds is enough. */
const tickMs = 30_000

/** Open tickets in lanes. Cards can be dragged between lanes; a conversation opens beside the board. */
export function KanbanPage() {
  const words = useTexts(kanbanTexts)
  const { filter, folded: foldedLaneIds, setFilter, toggleFold } = useBoardView()
  const [search] = useDebouncedValue(filter.search.trim(), searchDebounceMs)
  useTicketNews()
  const { board, error, retry, loadMore: more, refetch } = useBoard({ ...filter, search })
  const [peek, setPeek] = useState<{ id: number; uuid: string } | null>(null)
  const navigate = useNavigate()
  const phone = useIsPhone()
  const openFullPage = (uuid: string) => void navigate({ href: `/tickets/${uuid}` })
  const open = (card: BoardCard) => (phone ? openFullPage(card.uuid) : setPeek({ id: card.id, uuid: card.uuid }))
  const close = () => {
    const from = peek && document.querySelector<HTMLElement>(`[data-card="${peek.id}"] [data-opener]`)
    setPeek(null)
    from?.focus()
  }
  const isFiltered = filter.search !== '' || countActiveFilters(filter) > 0
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what is open beside, wherever the focus is.
    <div
      className={classes.page}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && peek && !event.defaultPrevented) close()
      }}
    >
      <div className={classes.main}>
        <BoardHeader filter={filter} setFilter={setFilter} onCreated={refetch} />
        {board ? (
          <BoardLanes
            {...{
              board,
              foldedLaneIds: foldedLaneIds,
              toggleFold: toggleFold,
              loadMore: more,
              refetch: refetch,
              isFiltered: isFiltered,
              openPane: open,
            }}
            selected={peek?.id ?? null}
            openFullPage={(card) => openFullPage(card.uuid)}
          />
        ) : error ? (
          <ErrorState error={error} onRetry={retry} />
        ) : (
          <div className={classes.board} aria-busy="true">
            {[4, 3, 2, 3].map((n, lane) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
              <div key={lane} className={`${classes.lane} ${classes.ghost}`}>
                {Array.from({ length: n }, (_, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
                  <span key={i} className={classes.ghostCard} />
                ))}
              </div>
            ))}
          </div>
        )}
      </div>
      {peek && (
        <Suspense fallback={<aside className={classes.peek} />}>
          <TicketPane uuid={peek.uuid} onClose={close} onOpenFullPage={openFullPage} />
        </Suspense>
      )}
      <p id="kanban-help" className="rc-sr">
        {words.help}
      </p>
      <TicketDialogs />
    </div>
  )
}

const countActiveFilters = (filter: BoardFilter) =>
  [filter.queueIds, filter.users, filter.tags].filter((selectedIds) => selectedIds.length > 0).length

type HeadProps = { filter: BoardFilter; setFilter: (change: Partial<BoardFilter>) => void; onCreated: () => void }

function BoardHeader({ filter, setFilter, onCreated }: HeadProps) {
  const words = useTexts(kanbanTexts)
  const phone = useIsPhone()
  const activeFilterCount = countActiveFilters(filter)
  const [making, setMaking] = useState(false)
  const search = (
    <SearchBox
      label={words.search}
      value={filter.search}
      onChange={(text) => setFilter({ search: text })}
      onClear={() => setFilter({ search: '' })}
    />
  )
  return (
    <>
      <PageHeader title={words.title}>
        <div className={classes.tools}>
          {!phone && search}
          <Popover position="bottom-end" width={288} trapFocus returnFocus shadow="md">
            <Popover.Target>
              <Button
                variant="default"
                leftSection={<IconFilter size={16} stroke={1.75} />}
                data-on={activeFilterCount > 0 || undefined}
                className={classes.filterButton ?? ''}
              >
                {words.filters(activeFilterCount)}
              </Button>
            </Popover.Target>
            <Popover.Dropdown>
              <Suspense fallback={null}>
                <BoardFilters filter={filter} onChange={setFilter} />
              </Suspense>
            </Popover.Dropdown>
          </Popover>
          <Can rule="tags-page:kanban">
            <Popover
              opened={making}
              onChange={setMaking}
              position="bottom-end"
              width={288}
              trapFocus
              returnFocus
              shadow="md"
            >
              <Popover.Target>
                <ActionIcon
                  size={phone ? 40 : 34}
                  variant={phone ? 'subtle' : 'default'}
                  aria-label={words.newLane}
                  onClick={() => setMaking(!making)}
                >
                  <IconPlus size={18} stroke={1.75} />
                </ActionIcon>
              </Popover.Target>
              <Popover.Dropdown>
                <Suspense fallback={null}>
                  <NewLaneForm
                    onCreated={() => {
                      setMaking(false)
                      onCreated()
                    }}
                  />
                </Suspense>
              </Popover.Dropdown>
            </Popover>
          </Can>
        </div>
      </PageHeader>
      {phone && <div className={classes.phoneSearch}>{search}</div>}
    </>
  )
}

type LanesProps = {
  board: KanbanBoard
  foldedLaneIds: number[]
  selected: number | null
  isFiltered: boolean
  toggleFold: (id: number) => void
  loadMore: (laneId: LaneId) => Promise<void>
  refetch: () => void
  openPane: (card: BoardCard) => void
  openFullPage: (card: BoardCard) => void
}

function BoardLanes({
  board,
  foldedLaneIds,
  selected,
  isFiltered,
  toggleFold,
  loadMore: more,
  refetch,
  openPane: open,
  openFullPage,
}: LanesProps) {
  const words = useTexts(kanbanTexts)
  const now = useNowEveryTick()
  const nameOf = (laneId: LaneId) => board.lanes.find((lane) => lane.id === laneId)?.name ?? words.noTag
  const { moves, move } = useMoveCards(nameOf)
  const [focus, setFocus] = useState<number | null>(null)
  const order = useLaneOrder(board.lanes, refetch)
  const laneIds: LaneId[] = [null, ...order.lanes.map((lane) => lane.id)]
  const cardDrag = useCarryCard({ lanes: laneIds, laneName: nameOf, move, keepFocusOn: setFocus })
  const laneDrag = useCarryLane(order.moveLane)
  const { heldCard } = cardDrag
  // A held card stays in its lane until it is dropped, even when events arrive.
  const shown = applyPendingMoves(board, heldCard ? new Map(moves).set(heldCard.card.id, heldCard.from) : moves)
  const columns = laneIds.flatMap((laneId) => shown.columns.find((column) => column.laneId === laneId) ?? [])
  const isFolded = (laneId: LaneId) => foldedLaneIds.includes(laneId ?? 0)

  /** Arrows move from card to card; with a conversation open, they open the next card's conversation. */
  const moveFocus = (event: KeyboardEvent, card: BoardCard) => {
    const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const along = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (event.altKey || (across === undefined && along === undefined)) return
    event.preventDefault()
    const open_ = columns.filter((column) => !isFolded(column.laneId) && column.cards.length > 0)
    const lane = open_.findIndex((column) => column.laneId === card.laneId)
    const at = open_[lane]?.cards.findIndex((one) => one.id === card.id) ?? 0
    const column = open_[lane + (across ?? 0)]
    const next = column?.cards[along === undefined ? Math.min(at, column.cards.length - 1) : at + along]
    if (!next) return
    setFocus(next.id)
    if (selected !== null) open(next)
  }
  const cardActions = {
    open,
    openWhole: openFullPage,
    onKeyDown: (event: KeyboardEvent, card: BoardCard) => {
      if (!cardDrag.onKeyDown(event, card)) moveFocus(event, card)
    },
    onFocused: () => setFocus(null),
  }
  return (
    <DragBoard cardDrag={cardDrag} laneDrag={laneDrag} now={now}>
      <section
        className={classes.board}
        aria-label={words.board}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
        tabIndex={0}
        data-carrying={heldCard ? true : undefined}
      >
        {columns.map((column) => {
          const lane = order.lanes.find((one) => one.id === column.laneId) ?? null
          const name = nameOf(column.laneId)
          return (
            <LaneColumn
              key={column.laneId ?? 0}
              {...{ column, lane, name, selected, focusCardId: focus, now, cardActions: cardActions }}
              isFolded={isFolded(column.laneId)}
              isDraggable={order.canReorder}
              isDragged={laneDrag.draggedLane?.lane.id === column.laneId}
              dropPosition={dropSide(laneDrag.draggedLane, column.laneId, laneIds)}
              isDropTarget={heldCard !== null && heldCard.moveOver === column.laneId && heldCard.from !== column.laneId}
              heldCard={heldCard && { id: heldCard.card.id, by: heldCard.heldBy }}
              emptyText={isFiltered ? words.nothing : lane ? words.empty : words.emptyFirst}
              onLoadMore={(laneId) => void more(laneId).catch(toast.error)}
              onUnfold={(laneId) => toggleFold(laneId ?? 0)}
              menu={
                <LaneMenuButton lane={lane} name={name} onStep={order.step}>
                  {(close) => (
                    <LaneMenu
                      lane={lane}
                      lanes={order.lanes}
                      onStep={(by) => lane && order.step(lane, by)}
                      onFold={() => {
                        close()
                        toggleFold(column.laneId ?? 0)
                      }}
                      onChanged={refetch}
                      onClose={close}
                    />
                  )}
                </LaneMenuButton>
              }
            />
          )
        })}
        {board.lanes.length === 0 && <NoLanes />}
      </section>
      <div className="rc-sr" aria-live="assertive">
        {cardDrag.announcement}
      </div>
    </DragBoard>
  )
}

/** The side of a lane on which the dragged lane would be dropped. The lane without a tag stays first. */
function dropSide(lifted: CarriedLane | null, laneId: LaneId, all: LaneId[]): 'before' | 'after' | undefined {
  if (!lifted || lifted.moveOver !== laneId || lifted.lane.id === laneId) return undefined
  return laneId === null || all.indexOf(laneId) > all.indexOf(lifted.lane.id) ? 'after' : 'before'
}

const laneMenuId = (lane: Lane | null) => `lane-menu-${lane?.id ?? 0}`

type DotsProps = {
  lane: Lane | null
  name: string
  onStep: (lane: Lane, by: -1 | 1) => void
  children: (close: () => void) => ReactNode
}

/** The menu of a lane; Alt with the arrows moves the lane. */
function LaneMenuButton({ lane, name, onStep, children }: DotsProps) {
  const words = useTexts(kanbanTexts)
  const [opened, setOpened] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the button and to what it opens.
    <span
      onKeyDown={(event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key] as -1 | 1 | undefined
        if (!event.altKey || by === undefined || !lane) return
        event.preventDefault()
        onStep(lane, by)
      }}
    >
      <Popover opened={opened} onChange={setOpened} position="bottom-end" width={288} trapFocus returnFocus shadow="md">
        <Popover.Target>
          <ActionIcon size={26} id={laneMenuId(lane)} aria-label={words.more(name)} onClick={() => setOpened(!opened)}>
            <IconDots size={17} stroke={1.75} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p={10}>
          <Suspense fallback={null}>{opened && children(() => setOpened(false))}</Suspense>
        </Popover.Dropdown>
      </Popover>
    </span>
  )
}

/** The order of lanes, with local changes shown at once until the server confirms them. */
function useLaneOrder(lanes: Lane[], refetch: () => void) {
  const may = useCan()('tags-page:kanban')
  const [pendingOrder, setPendingOrder] = useState<number[] | null>(null)
  const focus = useRef<string | null>(null)
  const positionOf = (lane: Lane) => pendingOrder?.indexOf(lane.id) ?? -1
  const shown = pendingOrder ? lanes.toSorted((a, b) => positionOf(a) - positionOf(b)) : lanes
  const now = shown.map((lane) => lane.id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a button that is put elsewhere in the page loses its focus.
  useEffect(() => {
    if (focus.current) document.getElementById(focus.current)?.focus()
    focus.current = null
  }, [now])
  const ids = shown.map((one) => one.id)
  const moveTo = (lane: Lane, to: number) => {
    const at = ids.indexOf(lane.id)
    if (!may || at < 0 || at === to || ids[to] === undefined) return
    const next = ids.toSpliced(at, 1).toSpliced(to, 0, lane.id)
    if (document.activeElement?.id === laneMenuId(lane)) focus.current = laneMenuId(lane)
    setPendingOrder(next)
    callApi(boardApi.order, { body: { ids: next } })
      .catch(toast.error)
      .finally(() => {
        refetch()
        setPendingOrder((since) => (since === next ? null : since))
      })
  }
  return {
    lanes: shown,
    canReorder: may,
    step: (lane: Lane, by: -1 | 1) => moveTo(lane, ids.indexOf(lane.id) + by),
    moveLane: (lane: Lane, to: LaneId) => moveTo(lane, to === null ? 0 : ids.indexOf(to)),
  }
}

function NoLanes() {
  const words = useTexts(kanbanTexts)
  return (
    <div className={classes.none}>
      <EmptyState title={words.noLanes} line={words.noLanesLine} icon={<IconLayoutKanban size={26} stroke={1.6} />}>
        <Can rule="tags-page:kanban">
          <Link to="/tags">{words.toTags}</Link>
        </Can>
      </EmptyState>
    </div>
  )
}

function useNowEveryTick(): number {
  const [now, setNow] = useState(() => Date.now())
  useInterval(() => setNow(Date.now()), tickMs, { autoInvoke: true })
  return now
}
