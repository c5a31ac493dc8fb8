import type { ChatNews } from '@recado/contract/live'
import type { SessionUser } from '@recado/contract/users'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getServiceWorker } from '../../lib/service-worker.ts'
import { playNotificationSound } from '../../lib/sound.ts'
import { countUnread, type LoadedChats } from '../../parts/chats/apply-chat-news.ts'
import { useChatNews, useUnreadChatCount } from '../../parts/chats/use-chats.ts'
import { isAnnouncedByAnyTab, runInOneTab } from './one-tab.ts'
import { areNotificationsEnabled, readNotificationPermission } from './system-notifications.ts'
import { isTabFocused } from './tab-focus.ts'
import { setUnreadChatsCount } from './unread-chats-count.ts'

/** The pause between two sounds, the same as for customer messages: ten messages in a row ring once. */
const soundCooldownMs = 2500
const tabHoldMs = 5000
const maxBodyLength = 140

type NewChatMessage = Extract<ChatNews, { action: 'new-message' }>

/** Follows the team chats on every screen and plays the sound. Renders nothing. */
export function ChatNotifications({ me }: { me: SessionUser }) {
  const client = useQueryClient()
  const waiting = useUnreadChatCount()
  useEffect(() => setUnreadChatsCount(waiting), [waiting])
  useEffect(() => () => setUnreadChatsCount(0), [])
  useChatNews((news) => {
    if (news.action !== 'new-message' || news.newMessage.senderId === me.id) return
    const known = client.getQueryData<LoadedChats>(['chats'])?.records.find((chat) => chat.id === news.chat.id)
    const named = news.newMessage.mentions.includes(me.id)
    if (countUnread(news.chat, me.id) === 0 || (known?.mine?.muted && !named)) return
    if (!isTabFocused() || location.pathname !== chatPath(news)) void alertOnce(news, me)
  })
  return null
}

const chatPath = ({ chat }: NewChatMessage) => `/chats/${chat.uuid}`

async function alertOnce(news: NewChatMessage, me: SessionUser): Promise<void> {
  if (await isAnnouncedByAnyTab(`at ${chatPath(news)}`)) return
  await runInOneTab(`chat ${news.newMessage.id}`, isTabFocused() ? 'first' : 'last', tabHoldMs, () =>
    alertUser(news, me),
  )
}

function alertUser({ chat, newMessage }: NewChatMessage, me: SessionUser): void {
  void runInOneTab('sound', 'first', soundCooldownMs, () => playNotificationSound())
  if (isTabFocused() || readNotificationPermission() !== 'granted' || !areNotificationsEnabled(me.id)) return
  const text = newMessage.message || (newMessage.mediaName ?? '')
  const body = chat.isDirect ? text : `${newMessage.sender.name}: ${text}`
  void getServiceWorker().then((worker) =>
    worker
      ?.showNotification(chat.title, {
        body: [...body].length > maxBodyLength ? `${[...body].slice(0, maxBodyLength).join('')}…` : body,
        tag: `chat-${chat.id}`,
        icon: '/icon-192.png',
        data: { url: `/chats/${chat.uuid}` },
        silent: true,
      })
      .catch(() => undefined),
  )
}
