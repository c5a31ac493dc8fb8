import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useIsTabVisible } from '../../../ui/use-is-tab-visible.ts'
import { type LoadedMessages, markMessagesRead, mergeNewestPages } from './merge-messages.ts'
import { applyThreadNews, readWithThreadNews, type ThreadScope, updateThread } from './thread-cache.ts'
import { readMessagePage } from './thread-pages.ts'

/** The delay before messages are marked as read: a burst of messages is marked once; a failed call is retried later. */
const markDelayMs = 400
const retryDelayMs = 5000

type MarkReadOptions = {
  client: QueryClient
  chat: ThreadScope
  loaded: LoadedMessages | undefined
  isEnabled: boolean
  onRead: () => void
}

/**
 * Marks messages as read that arrive while the agent looks at the conversation: loading the newest page does so on
 * the server.
 */
export function useMarkRead({ client, chat, loaded, isEnabled, onRead }: MarkReadOptions): void {
  const { ticketId } = chat
  const visible = useIsTabVisible()
  const shouldMark =
    isEnabled &&
    visible &&
    (loaded?.messages.some((one) => !one.fromMe && !one.read && one.ticketId === ticketId) ?? false)
  const mark = useEffectEvent(async (): Promise<number> => {
    try {
      const page = await readWithThreadNews(
        async () => markMessagesRead(await readMessagePage({ ticketId, markAsRead: true }, 1), ticketId),
        (read, news) => applyThreadNews(read, chat, news),
      )
      updateThread(client, ticketId, (now) => mergeNewestPages(now, page))
      onRead()
      return markDelayMs
    } catch {
      return retryDelayMs
    }
  })
  useEffect(() => {
    if (!shouldMark) return
    let over = false
    let timer = setTimeout(run, markDelayMs)
    async function run() {
      const pause = await mark()
      // New messages may have arrived, so this runs again, unless the effect has ended.
      if (!over) timer = setTimeout(run, pause)
    }
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [shouldMark])
}
