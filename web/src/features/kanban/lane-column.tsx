import { useDraggable, useDroppable } from '@dnd-kit/core'
import type { BoardCard, BoardColumn, Lane } from '@recado/contract/board/board'
import { IconPackage } from '@tabler/icons-react'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { CountBadge } from '../../ui/count-badge.tsx'
import { CardContent, describeCard } from './card-content.tsx'
import classes from './kanban.module.css'
import type { LaneId } from './kanban-board.ts'
import { kanbanTexts } from './texts.ts'

/** Estimate before measuring: two rows of message text and one row of tags. */
const estimatedCardHeight = 116
const cardGapPx = 8
/** The next page is loaded this many cards before the end. */
const loadMoreBeforeEnd = 6

export const laneDropId = (laneId: LaneId) => `lane-${laneId ?? 0}`

export type CardActions = {
  open: (card: BoardCard) => void
  openWhole: (card: BoardCard) => void
  onKeyDown: (event: KeyboardEvent, card: BoardCard) => void
  onFocused: () => void
}

type Props = {
  column: BoardColumn
  lane: Lane | null
  name: string
  isFolded: boolean
  /** Whether the lane can be dragged by its header. */
  isDraggable: boolean
  isDragged: boolean
  /** Where a dragged lane would be dropped: before or after this lane. */
  dropPosition: 'before' | 'after' | undefined
  /** Whether a card of another lane is being dragged over this lane. */
  isDropTarget: boolean
  heldCard: { id: number; by: 'pointer' | 'keys' } | null
  selected: number | null
  /** The card that gets the keyboard focus once it is rendered. */
  focusCardId: number | null
  now: number
  /** Why the lane is empty. */
  emptyText: string
  menu: ReactNode
  cardActions: CardActions
  onLoadMore: (laneId: LaneId) => void
  onUnfold: (laneId: LaneId) => void
}

export function LaneColumn(props: Props) {
  const { column, lane, name, isFolded, isDropTarget, isDraggable, isDragged, dropPosition, menu, onUnfold } = props
  const words = useTexts(kanbanTexts)
  const { setNodeRef } = useDroppable({ id: laneDropId(column.laneId), data: { laneId: column.laneId } })
  const grip = useDraggable({
    id: `grip-${laneDropId(column.laneId)}`,
    data: { lane },
    disabled: !isDraggable || !lane,
  })
  const color = lane?.color ?? null
  if (isFolded)
    return (
      <section
        ref={setNodeRef}
        className={classes.foldedLane}
        aria-label={words.laneOf(name, column.count)}
        data-target={isDropTarget || undefined}
        data-place={dropPosition}
      >
        <button
          type="button"
          className={classes.unfold}
          aria-label={words.unfold(name)}
          onClick={() => onUnfold(column.laneId)}
        >
          <ColorDot color={color} size={12} />
          <CountBadge value={column.count} />
          <span className={classes.upright}>{name}</span>
        </button>
      </section>
    )
  return (
    <section
      ref={setNodeRef}
      className={classes.lane}
      aria-label={words.laneOf(name, column.count)}
      data-target={isDropTarget || undefined}
      data-lifted={isDragged || undefined}
      data-place={dropPosition}
    >
      <header className={classes.laneHead}>
        <div
          ref={grip.setNodeRef}
          className={classes.grip}
          data-grip={(isDraggable && lane !== null) || undefined}
          {...grip.listeners}
        >
          <ColorDot color={color} size={12} />
          <h2 className={classes.laneName} title={name}>
            {name}
          </h2>
          <CountBadge value={column.count} />
        </div>
        {menu}
      </header>
      <LaneCards {...props} />
    </section>
  )
}

/** A virtualized list of cards; the next page loads while scrolling. */
function LaneCards({
  column,
  name,
  lane,
  isDropTarget,
  heldCard: held,
  selected,
  focusCardId,
  now,
  emptyText,
  cardActions,
  onLoadMore,
}: Props) {
  const words = useTexts(kanbanTexts)
  const box = useRef<HTMLDivElement>(null)
  const { cards, next, laneId } = column
  const heldAt = held ? cards.findIndex((card) => card.id === held.id) : -1
  const focusAt = focusCardId === null ? -1 : cards.findIndex((card) => card.id === focusCardId)
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => box.current,
    estimateSize: () => estimatedCardHeight,
    getItemKey: (index) => cards[index]?.id ?? index,
    gap: cardGapPx,
    paddingStart: 2,
    paddingEnd: 8,
    overscan: 4,
    // A held card stays rendered: removing the touched element would end its touch events.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return [...new Set([...shown, heldAt, focusAt])].filter((at) => at >= 0).sort((a, b) => a - b)
    },
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const more = useEffectEvent(() => onLoadMore(laneId))
  useEffect(() => {
    if (next !== null && last >= cards.length - loadMoreBeforeEnd) more()
  }, [next, last, cards.length])
  const showFocused = useEffectEvent(() => {
    if (focusAt < 0) return
    virtual.scrollToIndex(focusAt)
    const opener = box.current?.querySelector<HTMLElement>(`[data-card="${focusCardId}"] [data-opener]`)
    // The virtual list may render the card later.
    if (!opener) return
    opener.focus({ preventScroll: true })
    cardActions.onFocused()
  })
  const isWanted = focusAt >= 0
  const isRendered = items.some(({ index }) => index === focusAt)
  useEffect(() => {
    if (isWanted && isRendered) showFocused()
  }, [isWanted, isRendered])
  return (
    <div ref={box} className={classes.cards}>
      <ul className={classes.stack} style={{ height: cards.length ? virtual.getTotalSize() : 0 }}>
        {items.map(({ index, start, key }) => {
          const card = cards[index]
          return (
            card && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={classes.slot}
                style={{ transform: `translateY(${start}px)` }}
              >
                <CardItem
                  card={card}
                  now={now}
                  heldBy={held?.id === card.id ? held.by : undefined}
                  selected={selected === card.id}
                  cardActions={cardActions}
                />
              </li>
            )
          )
        })}
      </ul>
      {isDropTarget && (
        <div className={classes.drop} data-alone={cards.length === 0 || undefined}>
          {lane ? words.drop(name) : words.dropFirst}
        </div>
      )}
      {cards.length === 0 && !isDropTarget && (
        <p className={classes.empty}>
          <IconPackage size={24} stroke={1.5} aria-hidden="true" />
          {emptyText}
        </p>
      )}
    </div>
  )
}

type ItemProps = {
  card: BoardCard
  now: number
  heldBy: 'pointer' | 'keys' | undefined
  selected: boolean
  cardActions: CardActions
}

const CardItem = memo(function CardItem({ card, now, heldBy: held, selected, cardActions }: ItemProps) {
  const words = useTexts(kanbanTexts)
  const { setNodeRef, listeners } = useDraggable({ id: card.id, data: { card } })
  return (
    <article
      ref={setNodeRef}
      className={classes.card}
      data-card={card.id}
      data-held={held}
      data-selected={selected || undefined}
      {...listeners}
    >
      <button
        type="button"
        className={classes.opener}
        data-opener
        aria-label={describeCard(card, now, words)}
        aria-describedby="kanban-help"
        aria-current={selected || undefined}
        onClick={() => cardActions.open(card)}
        onKeyDown={(event) => cardActions.onKeyDown(event, card)}
        // Firefox fires a click on keyup of Space, so prevent it.
        onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
      />
      <CardContent card={card} now={now} />
      <a
        className={classes.whole}
        href={`/tickets/${card.uuid}`}
        draggable={false}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
          event.preventDefault()
          cardActions.openWhole(card)
        }}
      >
        <span className="rc-sr">{words.open(card.contact.name)}</span>
      </a>
    </article>
  )
})
