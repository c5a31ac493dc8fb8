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

/** All notifications of messages, on any screen. Renders nothing. */
export function Notifications({ me }: { me: SessionUser }) {
  const unread = useUnreadTicketNews(me)
  const notices = useNoticeNews(me)
  useMessageAlerts(me)
  useAnnounceCurrentPath()
  // A message in the conversation that is being read becomes read in a moment, so it is not counted: the count would
  // flicker.
  const reading = useOpenTicketUuid()
  const all =
    unread && new Map([...unread, ...notices].map((one) => ['ticketId' in one ? one.ticketId : one.id, one.uuid]))
  useShowUnreadCount([...(all?.values() ?? [])].filter((uuid) => uuid !== reading).length)
  useCloseReadNotifications(all && [...all.keys()])
  useNotificationClicks()
  usePushSubscription(me)
  return null
}

/**
 * Keeps the push subscription of this browser. The server ends subscriptions with the session and after a change of
 * login credentials, which closes sockets.
 */
function usePushSubscription({ id }: SessionUser): void {
  const renew = useEffectEvent(() => {
    // An unreachable push service is not worth an error message.
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

/** Closes a notification when its ticket was read or is no longer this user's. */
function useCloseReadNotifications(unread: number[] | undefined): void {
  // The dependency is a string: at twenty messages a second the list changes constantly, but its set of tickets rarely.
  const tags = unread?.map(notificationTag).sort().join(' ')
  useEffect(() => {
    if (tags !== undefined) void closeSystemNotifications(new Set(tags.split(' ')))
  }, [tags])
}

/** Keeps other tabs of this browser from announcing what this tab shows. */
function useAnnounceCurrentPath(): void {
  const { pathname } = useLocation()
  const focused = useTabFocus()
  useEffect(() => (focused ? announceToTabs(`at ${pathname}`) : undefined), [focused, pathname])
}

/** The ticket in the URL, while the tab has the focus. */
function useOpenTicketUuid(): string | undefined {
  const { pathname } = useLocation()
  return useTabFocus() ? /^\/tickets\/([^/]+)/.exec(pathname)?.[1] : undefined
}

function useShowUnreadCount(count: number): void {
  useEffect(() => {
    setUnreadCount(count)
    setPageUnreadCount(count)
    drawFavicon(count)
    // Shows the count on the icon of the installed app, if supported.
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
