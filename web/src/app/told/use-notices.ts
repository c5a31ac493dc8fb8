import { topics } from '@recado/contract/live'
import { type Notice, noticesApi } from '@recado/contract/notices'
import type { SessionUser } from '@recado/contract/users'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/api.ts'
import { useLive, useResync } from '../../lib/live.ts'
import { playNotice } from '../../lib/sound.ts'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { tell, useAgain } from '../../lib/told.ts'
import { noticesKey } from '../../parts/notices.ts'
import { isFocused } from './focus.ts'
import { noticesAreWanted, permission, showNotice } from './notices.ts'
import { inOneTab } from './one-tab.ts'
import { toldTexts } from './texts.ts'

type News = { put: Notice } | { gone: number[] }

export function afterNotice(list: Notice[], news: News): Notice[] {
  if ('gone' in news) return list.filter((one) => !news.gone.includes(one.id))
  return [news.put, ...list.filter((one) => one.id !== news.put.id)]
}

/** So long no other tab tells the same again. */
const toldMs = 5000
/** A few words more than a toast usually has, and something to press. */
const lastsMs = 8000

/** Reads what this person was given and has not seen, keeps it true, and says it when it comes. Drawn once. */
export function useNoticeNews(me: SessionUser): Notice[] {
  const client = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: noticesKey,
    queryFn: async ({ signal }) => (await call(noticesApi.list, {}, { signal })).notices,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const hear = (news: News) => tell<Notice[]>(client, noticesKey, (old) => afterNotice(old, news))
  useLive(topics.notice, (news) => {
    if (news.action === 'delete') return hear({ gone: news.noticeIds })
    hear({ put: news.notice })
    const focused = isFocused()
    void inOneTab(`notice ${news.notice.id}`, focused ? 'first' : 'last', toldMs, () =>
      say(news.notice, me, focused, (path) => void navigate({ href: path })),
    )
  })
  useResync(useAgain(noticesKey))
  return query.data ?? []
}

function say(notice: Notice, me: SessionUser, focused: boolean, go: (path: string) => void): void {
  const words = textsNow(toldTexts)
  const path = `/tickets/${notice.uuid}`
  const customer = notice.contact.name || notice.contact.number
  const title = words[notice.kind](notice.by.name, customer)
  const here = focused && location.pathname === path
  if (!here) playNotice()
  toast.info(title, notice.note ?? undefined, {
    id: `notice-${notice.ticketId}`,
    lasts: lastsMs,
    ...(!here && { action: { label: words.open, run: () => go(path) } }),
  })
  if (!focused && permission() === 'granted' && noticesAreWanted(me.id))
    void showNotice(notice, title, notice.note ?? '')
}
