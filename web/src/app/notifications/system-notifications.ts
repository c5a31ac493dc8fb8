import { getServiceWorker } from '../../lib/service-worker.ts'
import { readStoredText, writeStoredText } from '../../lib/storage.ts'

/** The same tag as the server's push: one notification per ticket, whether the push or the tab shows it first. */
export const notificationTag = (ticketId: number): string => `ticket-${ticketId}`

const notificationsStorageKey = (userId: number) => `notices-${userId}`
/** The setting is stored per device. */
export const areNotificationsEnabled = (userId: number): boolean =>
  readStoredText(notificationsStorageKey(userId)) !== 'off'
export const setNotificationsEnabled = (userId: number, wanted: boolean): void =>
  writeStoredText(notificationsStorageKey(userId), wanted ? 'on' : 'off')

export type NotificationPermissionState = NotificationPermission | 'impossible'

/** Notifications are not available on an iPhone outside of the home screen, nor without a secure origin. */
export const readNotificationPermission = (): NotificationPermissionState =>
  'Notification' in globalThis && 'serviceWorker' in navigator ? Notification.permission : 'impossible'

const maxBodyLength = 140

/** The service worker shows the notification: Android requires it, and it outlives the tab. */
export async function showSystemNotification(
  ticketRef: { ticketId: number; uuid: string },
  title: string,
  text: string,
): Promise<void> {
  const worker = await getServiceWorker()
  const options: NotificationOptions & { badge: string } = {
    body: [...text].length > maxBodyLength ? `${[...text].slice(0, maxBodyLength).join('')}…` : text,
    tag: notificationTag(ticketRef.ticketId),
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: { url: `/tickets/${ticketRef.uuid}` },
    // The app plays its own sound at the user's volume.
    silent: true,
  }
  await worker?.showNotification(title, options).catch(() => undefined)
}

/**
 * Closes notifications of tickets read here or elsewhere, and notifications of a previous user. A notification shown
 * during this query is new and must stay.
 */
export async function closeSystemNotifications(still: ReadonlySet<string>): Promise<void> {
  const since = Date.now()
  const isNews = (notice: Notification) => Number(Reflect.get(notice, 'timestamp') ?? 0) > since
  const worker = await getServiceWorker()
  for (const notice of (await worker?.getNotifications()) ?? [])
    if (!still.has(notice.tag) && !notice.tag.startsWith('chat-') && !isNews(notice)) notice.close()
}
