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

/** Ten messages in a row, or of ten customers at once, ring only once. */
const soundCooldownMs = 2500
/** No other tab announces the same message within this time. */
const tabHoldMs = 5000

type CreatedMessageNews = Extract<MessageNews, { action: 'create' }>

/** Announces messages by sound, and by notification when the user is elsewhere. Never navigates. */
export function useMessageAlerts(me: SessionUser): void {
  useLiveTopic(topics.message, (news) => {
    const telling = decideAlertLevel(news, me, { path: location.pathname, focused: isTabFocused() })
    if (telling === 'nothing' || news.action !== 'create') return
    if (telling !== 'seen') void alertOnce(telling, news, me)
  })
}

async function alertOnce(telling: AlertLevel, news: CreatedMessageNews, me: SessionUser): Promise<void> {
  // No race is possible: a tab that shows the ticket has announced this beforehand.
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
