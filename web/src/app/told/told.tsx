import type { SessionUser } from '@recado/contract/users'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { setPageCount } from '../../lib/page-title.ts'
import { subscribe } from '../../lib/push.ts'
import { onWorkerOpens, ourWorker } from '../../lib/worker.ts'
import { drawFavicon } from './favicon.ts'
import { closeNotices, noticesAreWanted, permission, tagOf } from './notices.ts'
import { setUnreadCount } from './unread-count.ts'
import { useRinging } from './use-ringing.ts'
import { useUnreadNews } from './use-unread.ts'

/** Everything that tells somebody of a message, whatever screen they are on. Draws nothing. */
export function Told({ me }: { me: SessionUser }) {
  const unread = useUnreadNews(me)
  useRinging(me)
  useCount(unread?.length ?? 0)
  useEffect(() => {
    if (unread) void closeNotices(new Set(unread.map((ticket) => tagOf(ticket.id))))
  }, [unread])
  useClicks()
  useEffect(() => {
    void ourWorker()
    // Renewed with every login. A push service that is out of reach is no reason to bother anybody.
    if (permission() === 'granted' && noticesAreWanted(me.id)) subscribe().catch(() => undefined)
  }, [me.id])
  return null
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
