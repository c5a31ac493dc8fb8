import type { Ticket } from '@recado/contract/tickets'

type RowActionHandler = (ticket: Ticket) => void

/** The actions of a row. */
export type RowActionHandlers = {
  /** Opens a search hit at its message. */
  open: RowActionHandler
  accept: RowActionHandler
  resolve: RowActionHandler
  reopen: RowActionHandler
  transfer: RowActionHandler
  /** Pins the ticket to the top of the user's own lists, or unpins it. */
  togglePin: RowActionHandler
  /** Previews the ticket without marking it as read. */
  peek: RowActionHandler
  /** All users who see a pending ticket may preview it; other tickets can be previewed only by admins. */
  peeksAll: boolean
}
