import type { Scope } from '../../kernel/data/scope.ts'
import type { MergedRows } from '../tables.ts'

/** What the desk keeps of a contact, by id: tickets, notes, what they wrote into groups, what belongs to no ticket, what is to be said later. */
export type MovedDeskRows = Pick<
  MergedRows,
  'tickets' | 'notes' | 'senders' | 'alone' | 'schedules' | 'shippings' | 'stops'
>

/** What the desk does about it: it stands above us and owns these rows, so it writes them itself (see app.ts). */
export type ContactDeskActions = {
  /** Two living tickets of one person on one line: this one has to end, in favour of the other. */
  close(scope: Scope, ticketId: number, keptId: number): Promise<void>
  /** All that the desk has of one contact becomes the other's; returns what that was. */
  handOver(scope: Scope, from: number, to: number): Promise<MovedDeskRows>
  /** These go back, with the messages that the tickets got since. */
  handBack(scope: Scope, from: number, to: number, moved: MovedDeskRows): Promise<void>
  /** These have another contact now; before, they had this one. */
  moved(scope: Scope, moved: Pick<MovedDeskRows, 'tickets' | 'alone'>, from: number): Promise<void>
  /**
   * Whether who acts sees every conversation with these contacts: all of their tickets, and what others have scheduled
   * for them. A key sees conversations when it may read messages.
   */
  seesConversations(scope: Scope, contactIds: number[]): Promise<boolean>
  /** Whether a ticket of theirs is open or waits. */
  hasLivingTicket(scope: Scope, contactId: number): Promise<boolean>
  /** Answers go to another number from now on: a line in their conversations says so. */
  numberChanged(scope: Scope, contactId: number, from: string, to: string): Promise<void>
  /** The contact is about to go, and these tickets with it. `keepsFiles`: it may come back, and its files stay. */
  leaving(scope: Scope, contactId: number, ticketIds: number[], keepsFiles?: boolean): Promise<void>
  /** The contact is back, with its tickets: who sees them hears so. */
  returned(scope: Scope, contactId: number): Promise<void>
}
