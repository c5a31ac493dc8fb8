import type { Ticket } from '@recado/contract/tickets'

type Deed = (ticket: Ticket) => void

/** What can be done from a row. */
export type RowDeeds = {
  /** What a search found, at the message that says it. */
  open: Deed
  accept: Deed
  resolve: Deed
  reopen: Deed
  transfer: Deed
  /** Only for those who may look into any ticket. */
  peek: Deed | null
}
