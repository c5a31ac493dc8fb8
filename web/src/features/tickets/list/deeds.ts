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
  /** Looks into it without anybody noticing. */
  peek: Deed
  /** What waits can be looked into by all who see it; only admins do so with the rest. */
  peeksAll: boolean
}
