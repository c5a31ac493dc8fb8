import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { asRead, joined, type Loaded } from './merge.ts'
import { change } from './thread-cache.ts'
import { pageOf, type Reading } from './thread-pages.ts'

/** A burst of messages is read once. */
const readAfter = 400

/** What comes while its agent looks at it is read: asking for the newest page says so to the server. */
export function useMarkRead(client: QueryClient, from: Reading, loaded: Loaded | undefined, marks: boolean): void {
  const { ticketId } = from
  const newest = loaded?.messages.findLast((one) => !one.fromMe && !one.read && one.ticketId === ticketId)?.id
  const visible = useVisible()
  const mark = useEffectEvent(() =>
    pageOf({ ticketId, markAsRead: true }, 1)
      .then((page) => change(client, ticketId, (now) => asRead(joined(now, page), ticketId)))
      // The next message, or the next look at the page, tries again.
      .catch(() => undefined),
  )
  useEffect(() => {
    if (!newest || !marks || !visible) return
    const timer = setTimeout(mark, readAfter)
    return () => clearTimeout(timer)
  }, [newest, marks, visible])
}

function useVisible(): boolean {
  const [visible, setVisible] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return visible
}
