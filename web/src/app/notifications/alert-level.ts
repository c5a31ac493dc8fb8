import type { MessageNews } from '@recado/contract/live'
import { isUnreadForUser, type NotifiedUser } from './unread-tickets.ts'

/** Where this tab is, and whether its person looks at it. */
export type TabState = { path: string; focused: boolean }
/** `seen`: it is being read at this moment, here; no other tab needs to tell it either. */
export type AlertLevel = 'nothing' | 'seen' | 'sound' | 'sound and notice'

/** What a message that comes is worth: who sits at the desk hears it, who is elsewhere is shown it, too. */
export function decideAlertLevel(news: MessageNews, me: NotifiedUser, { path, focused }: TabState): AlertLevel {
  if (news.action !== 'create' || news.message.fromMe || !isUnreadForUser(news.ticket, me)) return 'nothing'
  if (!focused) return 'sound and notice'
  return path === `/tickets/${news.ticket.uuid}` ? 'seen' : 'sound'
}
