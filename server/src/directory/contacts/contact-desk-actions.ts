import type { Scope } from '../../kernel/data/scope.ts'
import type { MergedRows } from '../tables.ts'

/**
 * What the desk stores of a contact, by id: tickets, notes, messages in groups, messages without a ticket, schedules,
 * campaign recipients and opt-outs.
 */
export type MovedDeskRows = Pick<
  MergedRows,
  'tickets' | 'notes' | 'senders' | 'alone' | 'schedules' | 'shippings' | 'stops'
>

/** Callbacks to the desk: it is a higher layer and owns these rows, so it writes them itself (see app.ts). */
export type ContactDeskActions = {
  /** Closes one of two active tickets of one person on one line, in favour of the other. */
  closeDuplicate(scope: Scope, ticketId: number, keptId: number): Promise<void>
  /** Moves everything the desk has of one contact to the other; returns what was moved. */
  moveRecords(scope: Scope, from: number, to: number): Promise<MovedDeskRows>
  /** Moves these back, with the messages that the tickets got since. */
  moveRecordsBack(scope: Scope, from: number, to: number, moved: MovedDeskRows): Promise<void>
  /** Publishes that these have another contact now; `from` is the former one. */
  onMoved(scope: Scope, moved: Pick<MovedDeskRows, 'tickets' | 'alone'>, from: number): Promise<void>
  /**
   * Whether the caller sees every conversation with these contacts: all of their tickets, and what others have scheduled for
   * them. An API key sees conversations when it may read messages.
   */
  canSeeConversations(scope: Scope, contactIds: number[]): Promise<boolean>
  /** Whether they have an open or pending ticket. */
  hasActiveTicket(scope: Scope, contactId: number): Promise<boolean>
  /** Answers now go to another number: adds an entry to their conversations. */
  onNumberChanged(scope: Scope, contactId: number, from: string, to: string): Promise<void>
  /** The contact and these tickets are about to be deleted. `keepsFiles`: it may be restored, so its files stay. */
  onDeleting(scope: Scope, contactId: number, ticketIds: number[], keepsFiles?: boolean): Promise<void>
  /** The contact is restored with its tickets: publish them to those who see them. */
  onRestored(scope: Scope, contactId: number): Promise<void>
}
