import type { Ticket } from '@recado/contract/tickets'
import { maxBatchIds } from '@recado/contract/tickets/batch-limits'
import { useSyncExternalStore } from 'react'
import type { TicketFilter } from '../../../parts/ticket/ticket-filter.ts'

/** `farewell`: to resolve them with a message to the customer. */
export type BatchActionKind = 'assign' | 'queue' | 'tags' | 'priority' | 'snooze' | 'macro' | 'resolve' | 'farewell'

/** The tickets that the user has checked in a list, to do the same with all of them. */
export type CheckedTickets = {
  tickets: ReadonlyMap<number, Ticket>
  /** Set if all tickets of the list are meant, also those that are not loaded. */
  wholeList: { filter: TicketFilter; count: number | string } | null
  /** The row at which a range begins. */
  anchorId: number | null
  /** False while the user looks at a conversation; the rows stay checked. */
  isPaneOpen: boolean
  /** The requested action, until its dialog is closed. */
  requested: BatchActionKind | null
  /** The batch whose progress or result is shown. */
  batchId: number | null
  /** How many batches have ended: then the rows of the list move to their places. */
  endedCount: number
}

const nothingChecked: CheckedTickets = {
  tickets: new Map(),
  wholeList: null,
  anchorId: null,
  isPaneOpen: false,
  requested: null,
  batchId: null,
  endedCount: 0,
}

let checked = nothingChecked
const listeners = new Set<() => void>()

function update(change: Partial<CheckedTickets>): void {
  checked = { ...checked, ...change }
  for (const listener of listeners) listener()
}

/** A change of the selection ends the look at the last result. */
function setTickets(tickets: Iterable<Ticket>, anchorId: number | null): void {
  const map = new Map([...tickets].slice(0, maxBatchIds).map((ticket) => [ticket.id, ticket]))
  if (map.size === 0) clearChecked()
  else update({ tickets: map, wholeList: null, anchorId, isPaneOpen: true, batchId: null })
}

export function toggleChecked(ticket: Ticket): void {
  const others = [...checked.tickets.values()].filter(({ id }) => id !== ticket.id)
  setTickets(checked.tickets.has(ticket.id) ? others : [...others, ticket], ticket.id)
}

/** Checks all rows from the last one that was checked to this one. */
export function checkRange(rows: Ticket[], ticket: Ticket): void {
  const to = rows.findIndex(({ id }) => id === ticket.id)
  const anchor = rows.findIndex(({ id }) => id === checked.anchorId)
  const from = anchor < 0 ? to : anchor
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1)
  setTickets([...checked.tickets.values(), ...range], checked.anchorId ?? ticket.id)
}

/** Extends the selection from one row to the next, or takes a row back. */
export function extendChecked(from: Ticket, to: Ticket): void {
  const rest = [...checked.tickets.values()]
  if (checked.tickets.has(to.id))
    setTickets(
      rest.filter(({ id }) => id !== from.id),
      to.id,
    )
  else setTickets([...rest, from, to], to.id)
}

export const checkAll = (rows: Ticket[]): void => setTickets(rows, rows[0]?.id ?? null)
export const checkWholeList = (wholeList: NonNullable<CheckedTickets['wholeList']>): void =>
  update({ wholeList, isPaneOpen: true, batchId: null })
export const clearChecked = (): void => update({ ...nothingChecked, endedCount: checked.endedCount })
export const setPaneOpen = (isPaneOpen: boolean): void => update({ isPaneOpen })
export const requestBatchAction = (requested: BatchActionKind | null): void =>
  update({ requested, isPaneOpen: requested !== null || checked.isPaneOpen })

/** The batch has begun: its progress takes the place of the actions. */
export const showBatch = (batchId: number): void => update({ batchId, requested: null, isPaneOpen: true })
/** The batch is over: only the refused tickets stay checked. */
export const endBatch = (refusedIds: number[]): void =>
  update({
    endedCount: checked.endedCount + 1,
    tickets: new Map([...checked.tickets].filter(([id]) => refusedIds.includes(id))),
    wholeList: null,
    anchorId: null,
  })

export const getCheckedTickets = (): CheckedTickets => checked
export const useCheckedTickets = (): CheckedTickets =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, getCheckedTickets)
/** Whether anything is checked, or a result is shown. */
export const isSelecting = ({ tickets, batchId }: CheckedTickets): boolean => tickets.size > 0 || batchId !== null
