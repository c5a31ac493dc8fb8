import type { Ticket } from '@recado/contract/tickets'

type RowActionHandler = (ticket: Ticket) => void

/** What can be done from a row. */
export type RowActionHandlers = {
  /** What a search found, at the message that says it. */
  open: RowActionHandler
  accept: RowActionHandler
  resolve: RowActionHandler
  reopen: RowActionHandler
  transfer: RowActionHandler
  /** Looks into it without anybody noticing. */
  peek: RowActionHandler
  /** What waits can be looked into by all who see it; only admins do so with the rest. */
  peeksAll: boolean
}
