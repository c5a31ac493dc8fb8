import type { Message } from '@recado/contract/messages'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { UnreadAtOpening } from '../messages/unread-at-opening.ts'
import type { OutgoingMessage } from '../outgoing/outgoing-messages.ts'
import type { ThreadScroll } from './use-thread-scroll.ts'

type UnseenOptions = {
  messages: Message[]
  outgoing: OutgoingMessage[]
  scroll: ThreadScroll
  unreadAtOpening: UnreadAtOpening | null
  unread: string | null
}

/** Opens at the first unread message or the end, scrolls to the user's own messages, and counts unseen messages below. */
export function useUnseenCount({ messages, outgoing, scroll, unreadAtOpening, unread }: UnseenOptions): number {
  const [seen, setSeen] = useState('')
  const newest = messages.at(-1)?.id ?? ''
  if (!scroll.isScrolledUp && seen !== newest) setSeen(newest)

  const { scrollToDivider, scrollToEnd } = scroll
  const placed = useRef(false)
  useLayoutEffect(() => {
    if (!unreadAtOpening || placed.current) return
    placed.current = true
    if (unread) scrollToDivider()
  })
  // The view scrolls to a message that the user just sent.
  const sent = outgoing.at(-1)?.clientId
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when there is another one
  useEffect(() => {
    if (sent) scrollToEnd()
  }, [sent])

  const seenAt = messages.findIndex((one) => one.id === seen)
  return seenAt < 0 ? 0 : messages.slice(seenAt + 1).filter((one) => !one.fromMe).length
}
