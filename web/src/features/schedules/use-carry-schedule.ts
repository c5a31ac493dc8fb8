import { dateOfWallTime, toWallTime, type WallTime } from '@recado/contract/schedules/occurrences'
import type { Schedule } from '@recado/contract/schedules/schedules'
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { addDays, type CalendarDay, formatShortMoment, minuteOfDay, wallTimeAt } from '../../parts/schedule/calendar.ts'
import { texts } from '../../parts/schedule/texts.ts'
import { canMoveSchedule } from './schedule-state.ts'

/**
 * An entry being dragged. `grip`: the pointer's offset within the entry, so that it does not jump; `pointer`: its
 * position.
 */
export type HeldSchedule = {
  row: Schedule
  to: WallTime
  heldBy: 'pointer' | 'keys'
  isPast: boolean
  pointer: { x: number; y: number }
  grip: { x: number; y: number; width: number }
}

type CarryOptions = {
  zone: string
  days: CalendarDay[]
  /** Height of an hour in pixels; null if only days can be chosen. */
  hourHeight: number | null
  move: (row: Schedule, sendAt: string, where: string) => Promise<void>
}

/** A smaller movement counts as a click. */
const minDragPx = 5
const stepMinutes = 15
const scrollEdgePx = 40
const lastMinute = 24 * 60 - stepMinutes

/** Moves an entry to another time by mouse or keyboard, and announces its position to screen readers. */
export function useCarrySchedule({ zone, days, hourHeight, move }: CarryOptions) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const [heldSchedule, draw] = useState<HeldSchedule | null>(null)
  /** The current drag state in a ref, because pointer events are faster than rendering. */
  const inHand = useRef<HeldSchedule | null>(null)
  const setHeldSchedule = (next: HeldSchedule | null) => {
    inHand.current = next
    draw(next)
  }
  const [announcement, setAnnouncement] = useState('')
  const pressedEntry = useRef<{ row: Schedule; x: number; y: number; grip: HeldSchedule['grip'] } | null>(null)
  /** Whether a drag has just ended: then the click after it is suppressed. */
  const dragged = useRef(false)

  /** Whether the time is in the past. The current minute may still be chosen, as on the server. */
  const isPast = (wall: WallTime) => dateOfWallTime(wall, zone).getTime() < Date.now() - 60_000
  const sayPlace = (wall: WallTime) => (isPast(wall) ? words.inPast : formatShortMoment(wall, language))

  const carryTo = (from: HeldSchedule, to: WallTime, at = from.pointer) => {
    setHeldSchedule({ ...from, to, pointer: at, isPast: isPast(to) })
    if (to !== from.to) setAnnouncement(sayPlace(to))
  }
  const drop = (one: HeldSchedule) => {
    setHeldSchedule(null)
    const { row, to } = one
    if (to === toWallTime(new Date(row.sendAt), zone)) return setAnnouncement(words.carryBack)
    if (isPast(to)) return setAnnouncement(words.inPast)
    setAnnouncement(words.movedTo(formatShortMoment(to, language)))
    void move(row, dateOfWallTime(to, zone).toISOString(), formatShortMoment(to, language))
  }
  const cancel = () => {
    setHeldSchedule(null)
    setAnnouncement(words.carryBack)
  }

  /** The day and quarter-hour under the pointer. */
  function placeAt(
    x: number,
    y: number,
    { row, grip }: { row: Schedule; grip: HeldSchedule['grip'] },
  ): WallTime | null {
    const cell = document.elementsFromPoint(x, y).find((one) => one instanceof HTMLElement && one.dataset.day)
    const day = cell instanceof HTMLElement ? cell.dataset.day : undefined
    if (!cell || !day) return null
    if (hourHeight === null) return `${day}T${toWallTime(new Date(row.sendAt), zone).slice(11)}`
    const minutes = ((y - grip.y - cell.getBoundingClientRect().top) / hourHeight) * 60
    const minute = Math.round(minutes / stepMinutes) * stepMinutes
    return wallTimeAt(day, Math.max(0, Math.min(lastMinute, minute)))
  }

  const onMove = useEffectEvent((event: globalThis.PointerEvent) => {
    const start = pressedEntry.current
    if (!start) return
    const { clientX: x, clientY: y } = event
    const heldSchedule = inHand.current
    if (!heldSchedule && Math.hypot(x - start.x, y - start.y) < minDragPx) return
    event.preventDefault()
    dragged.current = true
    const now = heldSchedule ?? {
      row: start.row,
      to: toWallTime(new Date(start.row.sendAt), zone),
      heldBy: 'pointer' as const,
      isPast: false,
      pointer: { x, y },
      grip: start.grip,
    }
    scrollAtEdge(x, y)
    carryTo(now, placeAt(x, y, start) ?? now.to, { x, y })
  })
  const onUp = useEffectEvent(() => {
    pressedEntry.current = null
    if (inHand.current?.heldBy === 'pointer') drop(inHand.current)
  })
  const onEscape = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Escape' || inHand.current?.heldBy !== 'pointer') return
    pressedEntry.current = null
    cancel()
  })
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    addEventListener('pointermove', (event) => onMove(event), { signal })
    addEventListener('pointerup', () => onUp(), { signal })
    addEventListener('pointercancel', () => onUp(), { signal })
    addEventListener('keydown', (event) => onEscape(event), { signal, capture: true })
    return () => ended.abort()
  }, [])

  function onPointerDown(event: PointerEvent<HTMLElement>, row: Schedule): void {
    dragged.current = false
    // Touch scrolls the calendar: on touch devices entries are moved in the dialog.
    if (event.button !== 0 || event.pointerType === 'touch' || !canMoveSchedule(row, new Date())) return
    const box = event.currentTarget.getBoundingClientRect()
    const grip = { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width }
    pressedEntry.current = { row, x: event.clientX, y: event.clientY, grip }
  }

  /** Space picks up and drops, arrows move, Escape cancels. Returns true when the key was handled. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>, row: Schedule): boolean {
    dragged.current = false
    const heldSchedule = inHand.current
    const isHeldByKeys = heldSchedule?.heldBy === 'keys' && heldSchedule.row.id === row.id
    if (event.key === ' ' && !heldSchedule) {
      event.preventDefault()
      if (!canMoveSchedule(row, new Date())) {
        setAnnouncement(words.cannotMove)
        return true
      }
      const to = toWallTime(new Date(row.sendAt), zone)
      setHeldSchedule({
        row,
        to,
        heldBy: 'keys',
        isPast: false,
        pointer: { x: 0, y: 0 },
        grip: { x: 0, y: 0, width: 0 },
      })
      setAnnouncement(words.carried(row.contact.name, formatShortMoment(to, language)))
      return true
    }
    if (!isHeldByKeys) return false
    if (event.key === 'Tab') {
      cancel()
      return false
    }
    event.preventDefault()
    event.stopPropagation()
    const carried = heldSchedule as HeldSchedule
    if (event.key === ' ' || event.key === 'Enter') drop(carried)
    else if (event.key === 'Escape') cancel()
    else carryTo(carried, timeAfterArrow(carried.to, event.key))
    return true
  }

  /**
   * The time after an arrow key: up and down move by a quarter of an hour, left and right by a day. In a grid of days,
   * up and down move by a week.
   */
  function timeAfterArrow(wall: WallTime, key: string): WallTime {
    const [day, minute] = [wall.slice(0, 10), minuteOfDay(wall)]
    const sideways = { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0
    const along = { ArrowUp: -1, ArrowDown: 1 }[key] ?? 0
    if (hourHeight !== null && along)
      return wallTimeAt(day, Math.max(0, Math.min(lastMinute, minute + along * stepMinutes)))
    const next = addDays(day, sideways + (hourHeight === null ? 7 * along : 0))
    return days.includes(next) ? wallTimeAt(next, minute) : wall
  }

  return {
    heldSchedule: heldSchedule,
    announcement: announcement,
    onPointerDown,
    onKeyDown,
    wasDragged: () => dragged.current,
  }
}
export type CarrySchedule = ReturnType<typeof useCarrySchedule>

/** Scrolls the calendar when the pointer is near its edge. */
function scrollAtEdge(x: number, y: number): void {
  const scrollRef = document.elementsFromPoint(x, y).find((one) => one.hasAttribute('data-scroller'))
  const box = scrollRef?.getBoundingClientRect()
  if (!scrollRef || !box) return
  if (y < box.top + scrollEdgePx + 46) scrollRef.scrollBy(0, -14)
  else if (y > box.bottom - scrollEdgePx) scrollRef.scrollBy(0, 14)
}
