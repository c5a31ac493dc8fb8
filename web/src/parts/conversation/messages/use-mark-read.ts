import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useVisible } from '../../../ui/use-visible.ts'
import { asRead, joined, type Loaded } from './merge.ts'
import { type Chat, change, during, withNews } from './thread-cache.ts'
import { pageOf } from './thread-pages.ts'

/** A burst of messages is read at once; what could not be asked is asked again later. */
const readAfter = 400
const againAfter = 5000

type Given = { client: QueryClient; chat: Chat; loaded: Loaded | undefined; marks: boolean; onRead: () => void }

/** What comes while its agent looks at it is read: asking for the newest page says so to the server. */
export function useMarkRead({ client, chat, loaded, marks, onRead }: Given): void {
  const { ticketId } = chat
  const visible = useVisible()
  const wanted =
    marks && visible && (loaded?.messages.some((one) => !one.fromMe && !one.read && one.ticketId === ticketId) ?? false)
  const mark = useEffectEvent(async (): Promise<number> => {
    try {
      const page = await during(
        async () => asRead(await pageOf({ ticketId, markAsRead: true }, 1), ticketId),
        (read, news) => withNews(read, chat, news),
      )
      change(client, ticketId, (now) => joined(now, page))
      onRead()
      return readAfter
    } catch {
      return againAfter
    }
  })
  useEffect(() => {
    if (!wanted) return
    let over = false
    let timer = setTimeout(run, readAfter)
    async function run() {
      const pause = await mark()
      // Something may have come meanwhile; otherwise nobody wants this any more.
      if (!over) timer = setTimeout(run, pause)
    }
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [wanted])
}
