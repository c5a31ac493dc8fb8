import { topics } from '@recado/contract/live'
import { useEffect, useState } from 'react'
import { useLiveTopic, useRoom } from '../../../lib/live.ts'
import { useSession } from '../../../lib/session.tsx'

/** Typing that is not ended by an event expires after this time. */
const typingTimeoutMs = 15_000

/** Whether the customer of this ticket is typing. */
export function useCustomerTyping(ticketId: number, newest: string | undefined): boolean {
  const [typing, setTyping] = useState<{ ticketId: number; newest: string | undefined } | null>(null)
  useLiveTopic(topics.typing, (news) => {
    if (news.ticketId === ticketId) setTyping(news.typing ? { ticketId, newest } : null)
  })
  useEffect(() => {
    if (!typing) return
    const timer = setTimeout(() => setTyping(null), typingTimeoutMs)
    return () => clearTimeout(timer)
  }, [typing])
  // The customer's message has arrived, so they are no longer typing it.
  return typing?.ticketId === ticketId && typing.newest === newest
}

export type Watcher = { id: number; name: string; typing: boolean }
const noWatchers: Watcher[] = []

/** Other users who have this ticket open. This user's presence is announced to them. */
export function useWatchers(ticketId: number): Watcher[] {
  const me = useSession().user?.id
  const [seen, setSeen] = useState<{ ticketId: number; people: Watcher[] } | null>(null)
  useRoom('chatBox', ticketId)
  useLiveTopic(topics.watching, (news) => {
    if (news.ticketId === ticketId) setSeen(news)
  })
  if (seen?.ticketId !== ticketId) return noWatchers
  return seen.people.filter((person) => person.id !== me)
}
