import type { Ticket } from '@recado/contract/tickets'
import { useState } from 'react'
import type { CachedThread } from './thread-cache.ts'
import type { UnreadAtOpening } from './unread-at-opening.ts'

/** How the conversation stood when it was opened; null until the server has said so. */
export function useUnreadAtOpening(cached: CachedThread | undefined, ticket: Ticket): UnreadAtOpening | null {
  const [came] = useState(() => ({ at: performance.now(), unread: ticket.unreadMessages }))
  const [opened, setOpened] = useState<UnreadAtOpening | null>(null)
  // What is kept from an earlier visit does not know what came since.
  if (!opened && cached && cached.readAt >= came.at) {
    const unread = cached.unread > 0 ? Math.max(cached.unread, came.unread) : 0
    setOpened({ newest: cached.messages.at(-1)?.id ?? '', unread })
  }
  return opened
}
