import type { SessionUser } from '@recado/contract/users'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useResync } from '../../lib/live.ts'
import { setPageUnreadCount } from '../../lib/page-title.ts'
import { subscribeToPush } from '../../lib/push.ts'
import { getServiceWorker, onWorkerOpenPath } from '../../lib/service-worker.ts'
import { drawFavicon } from './favicon.ts'
import { announceToTabs } from './one-tab.ts'
import {
  areNotificationsEnabled,
  closeSystemNotifications,
  notificationTag,
  readNotificationPermission,
} from './system-notifications.ts'
import { useTabFocus } from './tab-focus.ts'
import { setUnreadCount } from './unread-count.ts'
import { useMessageAlerts } from './use-message-alerts.ts'
import { useNoticeNews } from './use-notices.ts'
import { useUnreadTicketNews } from './use-unread-tickets.ts'

/** Everything that tells somebody of a message, whatever screen they are on. Draws nothing. */
export function Notifications({ me }: { me: SessionUser }) {
  const unread = useUnreadTicketNews(me)
  const notices = useNoticeNews(me)
  useMessageAlerts(me)
  useAnnounceCurrentPath()
  // What comes into the conversation one is reading is read in a moment: it is not worth a flicker.
  const reading = useOpenTicketUuid()
  const all =
    unread && new Map([...unread, ...notices].map((one) => ['ticketId' in one ? one.ticketId : one.id, one.uuid]))
  useShowUnreadCount([...(all?.values() ?? [])].filter((uuid) => uuid !== reading).length)
  useCloseReadNotifications(all && [...all.keys()])
  useNotificationClicks()
  usePushSubscription(me)
  return null
}

/** The server ends subscriptions with the session, and when somebody changes how they log in, which closes sockets. */
function usePushSubscription({ id }: SessionUser): void {
  const renew = useEffectEvent(() => {
    // A push service that is out of reach is no reason to bother anybody.
    if (readNotificationPermission() === 'granted' && areNotificationsEnabled(id))
      subscribeToPush().catch(() => undefined)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each person
  useEffect(() => {
    void getServiceWorker()
    renew()
  }, [id])
  useResync(renew)
}

/** A notice goes when its ticket has been read, or is no longer this person's. */
function useCloseReadNotifications(unread: number[] | undefined): void {
  // As text: twenty messages a second change the list twenty times, but hardly ever who is in it.
  const tags = unread?.map(notificationTag).sort().join(' ')
  useEffect(() => {
    if (tags !== undefined) void closeSystemNotifications(new Set(tags.split(' ')))
  }, [tags])
}

/** Where somebody looks is not told by another tab of the same browser. */
function useAnnounceCurrentPath(): void {
  const { pathname } = useLocation()
  const focused = useTabFocus()
  useEffect(() => (focused ? announceToTabs(`at ${pathname}`) : undefined), [focused, pathname])
}

/** The ticket of the address, while somebody looks at it. */
function useOpenTicketUuid(): string | undefined {
  const { pathname } = useLocation()
  return useTabFocus() ? /^\/tickets\/([^/]+)/.exec(pathname)?.[1] : undefined
}

function useShowUnreadCount(count: number): void {
  useEffect(() => {
    setUnreadCount(count)
    setPageUnreadCount(count)
    drawFavicon(count)
    // On the icon of the installed app, where there is one.
    void (navigator as Partial<Navigator>).setAppBadge?.(count).catch(() => undefined)
  }, [count])
  const forget = useEffectEvent(() => {
    setUnreadCount(0)
    setPageUnreadCount(0)
    drawFavicon(0)
    void (navigator as Partial<Navigator>).clearAppBadge?.().catch(() => undefined)
    void closeSystemNotifications(new Set())
  })
  useEffect(() => forget, [])
}

function useNotificationClicks(): void {
  const navigate = useNavigate()
  const open = useEffectEvent((path: string) => void navigate({ href: path }))
  useEffect(() => onWorkerOpenPath(open), [])
}
