import type { SessionUser } from '@recado/contract/users'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useResync } from '../../lib/live.ts'
import { setPageCount } from '../../lib/page-title.ts'
import { subscribe } from '../../lib/push.ts'
import { onWorkerOpens, ourWorker } from '../../lib/worker.ts'
import { drawFavicon } from './favicon.ts'
import { useFocused } from './focus.ts'
import { closeNotices, noticesAreWanted, permission, tagOf } from './notices.ts'
import { showTabs } from './one-tab.ts'
import { setUnreadCount } from './unread-count.ts'
import { useNoticeNews } from './use-notices.ts'
import { useRinging } from './use-ringing.ts'
import { useUnreadNews } from './use-unread.ts'

/** Everything that tells somebody of a message, whatever screen they are on. Draws nothing. */
export function Told({ me }: { me: SessionUser }) {
  const unread = useUnreadNews(me)
  const notices = useNoticeNews(me)
  useRinging(me)
  useWhereabouts()
  // What comes into the conversation one is reading is read in a moment: it is not worth a flicker.
  const reading = useReading()
  const all =
    unread && new Map([...unread, ...notices].map((one) => ['ticketId' in one ? one.ticketId : one.id, one.uuid]))
  useCount([...(all?.values() ?? [])].filter((uuid) => uuid !== reading).length)
  useClosing(all && [...all.keys()])
  useClicks()
  usePush(me)
  return null
}

/** The server ends subscriptions with the session, and when somebody changes how they log in, which closes sockets. */
function usePush({ id }: SessionUser): void {
  const renew = useEffectEvent(() => {
    // A push service that is out of reach is no reason to bother anybody.
    if (permission() === 'granted' && noticesAreWanted(id)) subscribe().catch(() => undefined)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each person
  useEffect(() => {
    void ourWorker()
    renew()
  }, [id])
  useResync(renew)
}

/** A notice goes when its ticket has been read, or is no longer this person's. */
function useClosing(unread: number[] | undefined): void {
  // As text: twenty messages a second change the list twenty times, but hardly ever who is in it.
  const tags = unread?.map(tagOf).sort().join(' ')
  useEffect(() => {
    if (tags !== undefined) void closeNotices(new Set(tags.split(' ')))
  }, [tags])
}

/** Where somebody looks is not told by another tab of the same browser. */
function useWhereabouts(): void {
  const { pathname } = useLocation()
  const focused = useFocused()
  useEffect(() => (focused ? showTabs(`at ${pathname}`) : undefined), [focused, pathname])
}

/** The ticket of the address, while somebody looks at it. */
function useReading(): string | undefined {
  const { pathname } = useLocation()
  return useFocused() ? /^\/tickets\/([^/]+)/.exec(pathname)?.[1] : undefined
}

function useCount(count: number): void {
  useEffect(() => {
    setUnreadCount(count)
    setPageCount(count)
    drawFavicon(count)
    // On the icon of the installed app, where there is one.
    void (navigator as Partial<Navigator>).setAppBadge?.(count).catch(() => undefined)
  }, [count])
  const forget = useEffectEvent(() => {
    setUnreadCount(0)
    setPageCount(0)
    drawFavicon(0)
    void (navigator as Partial<Navigator>).clearAppBadge?.().catch(() => undefined)
    void closeNotices(new Set())
  })
  useEffect(() => forget, [])
}

function useClicks(): void {
  const navigate = useNavigate()
  const open = useEffectEvent((path: string) => void navigate({ href: path }))
  useEffect(() => onWorkerOpens(open), [])
}
