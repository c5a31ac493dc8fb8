import type { MessageNews } from '@recado/contract/live'
import { isUnreadForUser, type NotifiedUser } from './unread-tickets.ts'

/** The path of this tab, and whether it has the focus. */
export type TabState = { path: string; focused: boolean }
/** `seen`: the message is being read in this tab right now, so other tabs need not announce it either. */
export type AlertLevel = 'nothing' | 'seen' | 'sound' | 'sound and notice'

/** How to announce a message: with a sound, and also with a notification while the user is in another window. */
export function decideAlertLevel(news: MessageNews, me: NotifiedUser, { path, focused }: TabState): AlertLevel {
  if (news.action !== 'create' || news.message.fromMe || !isUnreadForUser(news.ticket, me)) return 'nothing'
  if (!focused) return 'sound and notice'
  return path === `/tickets/${news.ticket.uuid}` ? 'seen' : 'sound'
}
