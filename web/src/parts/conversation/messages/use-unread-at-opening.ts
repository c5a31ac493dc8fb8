import type { Ticket } from '@recado/contract/tickets'
import { useState } from 'react'
import type { CachedThread } from './thread-cache.ts'
import type { UnreadAtOpening } from './unread-at-opening.ts'

/** The state when the conversation was opened; null until the server has answered. */
export function useUnreadAtOpening(cached: CachedThread | undefined, ticket: Ticket): UnreadAtOpening | null {
  const [came] = useState(() => ({ at: performance.now(), unread: ticket.unreadMessages }))
  const [opened, setOpened] = useState<UnreadAtOpening | null>(null)
  // Cached data of an earlier visit lacks messages that arrived since.
  if (!opened && cached && cached.readAt >= came.at) {
    const unread = cached.unread > 0 ? Math.max(cached.unread, came.unread) : 0
    setOpened({ newest: cached.messages.at(-1)?.id ?? '', unread })
  }
  return opened
}
