import { readText, writeText } from '../../lib/storage.ts'
import { ourWorker } from '../../lib/worker.ts'

/** As the server's push names it: one notice per ticket, whoever of both comes first. */
export const tagOf = (ticketId: number): string => `ticket-${ticketId}`

const keyOf = (userId: number) => `notices-${userId}`
/** Somebody may want them on one machine and not on another. */
export const noticesAreWanted = (userId: number): boolean => readText(keyOf(userId)) !== 'off'
export const wantNotices = (userId: number, wanted: boolean): void => writeText(keyOf(userId), wanted ? 'on' : 'off')

export type Permission = NotificationPermission | 'impossible'

/** On an iPhone outside of the home screen, and without a secure address, there is nothing to ask for. */
export const permission = (): Permission =>
  'Notification' in globalThis && 'serviceWorker' in navigator ? Notification.permission : 'impossible'

const most = 140

/** Shown by the worker, which Android insists on and which outlives the tab. */
export async function showNotice(of: { ticketId: number; uuid: string }, title: string, text: string): Promise<void> {
  const worker = await ourWorker()
  const options: NotificationOptions & { badge: string } = {
    body: [...text].length > most ? `${[...text].slice(0, most).join('')}…` : text,
    tag: tagOf(of.ticketId),
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
export async function closeNotices(still: ReadonlySet<string>): Promise<void> {
  const since = Date.now()
  const isNews = (notice: Notification) => Number(Reflect.get(notice, 'timestamp') ?? 0) > since
  const worker = await ourWorker()
  for (const notice of (await worker?.getNotifications()) ?? [])
    if (!still.has(notice.tag) && !notice.tag.startsWith('chat-') && !isNews(notice)) notice.close()
}
