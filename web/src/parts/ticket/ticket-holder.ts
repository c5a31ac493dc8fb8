import { ApiError } from '../../lib/api.ts'

/** Who has the conflicting ticket, from the server's refusal. */
export type TicketHolder = {
  userId: number | null
  user: { id: number; name: string } | null
  queue: { id: number; name: string } | null
  uuid: string
  ticketId: number
  /** Whether the current user may open that ticket. */
  mayOpen: boolean
}

export function holderFromError(error: unknown): TicketHolder | null {
  if (!(error instanceof ApiError) || error.code !== 'ERR_OTHER_OPEN_TICKET') return null
  const holder = error.details.holder as TicketHolder | null | undefined
  return holder?.uuid ? holder : null
}
