import { getServiceWorker } from '../../lib/service-worker.ts'
import { readStoredText, writeStoredText } from '../../lib/storage.ts'

/** As the server's push names it: one notice per ticket, whoever of both comes first. */
export const notificationTag = (ticketId: number): string => `ticket-${ticketId}`

const notificationsStorageKey = (userId: number) => `notices-${userId}`
/** Somebody may want them on one machine and not on another. */
export const areNotificationsEnabled = (userId: number): boolean =>
  readStoredText(notificationsStorageKey(userId)) !== 'off'
export const setNotificationsEnabled = (userId: number, wanted: boolean): void =>
  writeStoredText(notificationsStorageKey(userId), wanted ? 'on' : 'off')

export type NotificationPermissionState = NotificationPermission | 'impossible'

/** On an iPhone outside of the home screen, and without a secure address, there is nothing to ask for. */
export const readNotificationPermission = (): NotificationPermissionState =>
  'Notification' in globalThis && 'serviceWorker' in navigator ? Notification.permission : 'impossible'

const maxBodyLength = 140

/** Shown by the worker, which Android insists on and which outlives the tab. */
export async function showSystemNotification(
  of: { ticketId: number; uuid: string },
  title: string,
  text: string,
): Promise<void> {
  const worker = await getServiceWorker()
  const options: NotificationOptions & { badge: string } = {
    body: [...text].length > maxBodyLength ? `${[...text].slice(0, maxBodyLength).join('')}…` : text,
    tag: notificationTag(of.ticketId),
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: { url: `/tickets/${of.uuid}` },
    // The sound is the desk's own, as loud as its person wants it.
    silent: true,
  }
  await worker?.showNotification(title, options).catch(() => undefined)
}

/**
 * Those whose tickets have been read, here or anywhere, and those of whoever was logged in before. One that is shown while
 * this asks for them is news, of which nobody here knows yet.
 */
export async function closeSystemNotifications(still: ReadonlySet<string>): Promise<void> {
  const since = Date.now()
  const isNews = (notice: Notification) => Number(Reflect.get(notice, 'timestamp') ?? 0) > since
  const worker = await getServiceWorker()
  for (const notice of (await worker?.getNotifications()) ?? [])
    if (!still.has(notice.tag) && !notice.tag.startsWith('chat-') && !isNews(notice)) notice.close()
}
