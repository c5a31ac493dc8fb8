import type { ChatNews } from '@recado/contract/live'
import type { SessionUser } from '@recado/contract/users'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { playNotice } from '../../lib/sound.ts'
import { ourWorker } from '../../lib/worker.ts'
import { type Chats, unreadIn } from '../../parts/chats/merge.ts'
import { useChatNews, useWaitingChats } from '../../parts/chats/use-chats.ts'
import { setChatsCount } from './chats-count.ts'
import { isFocused } from './focus.ts'
import { noticesAreWanted, permission } from './notices.ts'
import { inOneTab, isShown } from './one-tab.ts'

/** As with customers: ten lines in a row are heard once. */
const quietMs = 2500
const toldMs = 5000
const most = 140

type Written = Extract<ChatNews, { action: 'new-message' }>

/** Follows the chats of the team whatever screen is shown, and makes them heard. Draws nothing. */
export function ChatsTold({ me }: { me: SessionUser }) {
  const client = useQueryClient()
  const waiting = useWaitingChats()
  useEffect(() => setChatsCount(waiting), [waiting])
  useEffect(() => () => setChatsCount(0), [])
  useChatNews((news) => {
    if (news.action !== 'new-message' || news.newMessage.senderId === me.id) return
    const known = client.getQueryData<Chats>(['chats'])?.records.find((chat) => chat.id === news.chat.id)
    const named = news.newMessage.mentions.includes(me.id)
    if (unreadIn(news.chat, me.id) === 0 || (known?.mine?.muted && !named)) return
    if (!isFocused() || location.pathname !== pathOf(news)) void tellOnce(news, me)
  })
  return null
}

const pathOf = ({ chat }: Written) => `/chats/${chat.uuid}`

async function tellOnce(news: Written, me: SessionUser): Promise<void> {
  if (await isShown(`at ${pathOf(news)}`)) return
  await inOneTab(`chat ${news.newMessage.id}`, isFocused() ? 'first' : 'last', toldMs, () => tell(news, me))
}

function tell({ chat, newMessage }: Written, me: SessionUser): void {
  void inOneTab('sound', 'first', quietMs, () => playNotice())
  if (isFocused() || permission() !== 'granted' || !noticesAreWanted(me.id)) return
  const text = newMessage.message || (newMessage.mediaName ?? '')
  const body = chat.isDirect ? text : `${newMessage.sender.name}: ${text}`
  void ourWorker().then((worker) =>
    worker
      ?.showNotification(chat.title, {
        body: [...body].length > most ? `${[...body].slice(0, most).join('')}…` : body,
        tag: `chat-${chat.id}`,
        icon: '/icon-192.png',
        data: { url: `/chats/${chat.uuid}` },
        silent: true,
      })
      .catch(() => undefined),
  )
}
