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

/** Callbacks to the desk. The desk is a higher layer and owns these rows, so it writes them itself (see app.ts). */
export type ContactDeskActions = {
  /** Closes one of two active tickets that a person has on the same line; the other ticket stays open. */
  closeDuplicate(scope: Scope, ticketId: number, keptId: number): Promise<void>
  /** Moves everything the desk has of one contact to the other; returns what was moved. */
  moveRecords(scope: Scope, from: number, to: number): Promise<MovedDeskRows>
  /** Moves these rows back, with the messages that their tickets got since. */
  moveRecordsBack(scope: Scope, from: number, to: number, moved: MovedDeskRows): Promise<void>
  /** Publishes that these tickets and messages have another contact now; `from` is the former contact. */
  onMoved(scope: Scope, moved: Pick<MovedDeskRows, 'tickets' | 'alone'>, from: number): Promise<void>
  /**
   * Whether the caller sees every conversation with these contacts: all of their tickets, and the messages that other users
   * have scheduled for them. An API key sees conversations when it may read messages.
   */
  canSeeConversations(scope: Scope, contactIds: number[]): Promise<boolean>
  /** Whether the contact has an open or pending ticket. */
  hasActiveTicket(scope: Scope, contactId: number): Promise<boolean>
  /** The contact's number changed, so answers go to the new number: adds an entry to the contact's conversations. */
  onNumberChanged(scope: Scope, contactId: number, from: string, to: string): Promise<void>
  /** The contact and these tickets are about to be deleted. `keepsFiles`: a restore is possible, so the files stay. */
  onDeleting(scope: Scope, contactId: number, ticketIds: number[], keepsFiles?: boolean): Promise<void>
  /** The contact was restored with its tickets: publishes the tickets to the users who may see them. */
  onRestored(scope: Scope, contactId: number): Promise<void>
}
