import { type MessageNews, topics } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import type { SessionUser } from '@recado/contract/users'
import { useLiveTopic } from '../../lib/live.ts'
import { playNotificationSound } from '../../lib/sound.ts'
import { currentTexts } from '../../lib/texts.ts'
import { buildTicketPreview } from '../../parts/ticket/ticket-preview.ts'
import { ticketPreviewTexts } from '../../parts/ticket/ticket-preview-texts.ts'
import { type AlertLevel, decideAlertLevel } from './alert-level.ts'
import { isAnnouncedByAnyTab, runInOneTab } from './one-tab.ts'
import { areNotificationsEnabled, readNotificationPermission, showSystemNotification } from './system-notifications.ts'
import { isTabFocused } from './tab-focus.ts'

/** A customer who writes ten lines in a row is heard once, and so are ten customers who write at once. */
const soundCooldownMs = 2500
/** So long no other tab tells the same message again. */
const tabHoldMs = 5000

type CreatedMessageNews = Extract<MessageNews, { action: 'create' }>

/** Messages make themselves heard, and seen by who looks elsewhere. They never move anybody. */
export function useMessageAlerts(me: SessionUser): void {
  useLiveTopic(topics.message, (news) => {
    const telling = decideAlertLevel(news, me, { path: location.pathname, focused: isTabFocused() })
    if (telling === 'nothing' || news.action !== 'create') return
    if (telling !== 'seen') void alertOnce(telling, news, me)
  })
}

async function alertOnce(telling: AlertLevel, news: CreatedMessageNews, me: SessionUser): Promise<void> {
  // Not a matter of who is quicker: the tab in which it is being read has said so before.
  if (await isAnnouncedByAnyTab(`at /tickets/${news.ticket.uuid}`)) return
  const eagerness = telling === 'sound' ? 'first' : 'last'
  await runInOneTab(`message ${news.message.id}`, eagerness, tabHoldMs, () => alertUser(telling, news, me))
}

function alertUser(telling: AlertLevel, news: CreatedMessageNews, me: SessionUser): void {
  void runInOneTab('sound', 'first', soundCooldownMs, () => playNotificationSound())
  if (telling === 'sound and notice' && readNotificationPermission() === 'granted' && areNotificationsEnabled(me.id))
    void showSystemNotification(
      { ticketId: news.ticket.id, uuid: news.ticket.uuid },
      news.ticket.contact.name || news.ticket.contact.number,
      notificationText(news.ticket, news.message),
    )
}

function notificationText(ticket: Ticket, message: Message): string {
  const { text } = buildTicketPreview(ticket, currentTexts(ticketPreviewTexts).kinds)
  return ticket.isGroup && message.contact ? `${message.contact.name}: ${text}` : text
}
