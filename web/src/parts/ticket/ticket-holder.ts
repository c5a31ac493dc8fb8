import { ApiError } from '../../lib/api.ts'

/** Who has the ticket that is in the way, as the server names them in its refusal. */
export type Holder = {
  userId: number | null
  user: { id: number; name: string } | null
  queue: { id: number; name: string } | null
  uuid: string
  ticketId: number
  /** Whether who asked would find that ticket. */
  mayOpen: boolean
}

export function holderIn(error: unknown): Holder | null {
  if (!(error instanceof ApiError) || error.code !== 'ERR_OTHER_OPEN_TICKET') return null
  const holder = error.more.holder as Holder | null | undefined
  return holder?.uuid ? holder : null
}
