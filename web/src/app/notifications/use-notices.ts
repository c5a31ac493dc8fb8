import { topics } from '@recado/contract/live'
import { type Notice, noticesApi } from '@recado/contract/notices'
import type { SessionUser } from '@recado/contract/users'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic, useResync } from '../../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../../lib/query-cache.ts'
import { playNotificationSound } from '../../lib/sound.ts'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { noticePath, noticesKey } from '../../parts/notices.ts'
import { runInOneTab } from './one-tab.ts'
import { areNotificationsEnabled, readNotificationPermission, showSystemNotification } from './system-notifications.ts'
import { isTabFocused } from './tab-focus.ts'
import { notificationTexts } from './texts.ts'

type NoticeChange = { put: Notice } | { gone: number[] }

export function applyNoticeNews(list: Notice[], news: NoticeChange): Notice[] {
  if ('gone' in news) return list.filter((one) => !news.gone.includes(one.id))
  return [news.put, ...list.filter((one) => one.id !== news.put.id)]
}

/** No other tab announces the same notification within this time. */
const tabHoldMs = 5000
/** Longer than a usual toast, because this toast has more text and a button. */
const toastDurationMs = 8000

/** Loads this user's unseen notifications, keeps them current and announces new ones. Used once. */
export function useNoticeNews(me: SessionUser): Notice[] {
  const client = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: noticesKey,
    queryFn: async ({ signal }) => (await callApi(noticesApi.list, {}, { signal })).notices,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const hear = (news: NoticeChange) =>
    updateCachedQuery<Notice[]>(client, noticesKey, (old) => applyNoticeNews(old, news))
  useLiveTopic(topics.notice, (news) => {
    if (news.action === 'delete') {
      const deleted = client.getQueryData<Notice[]>(noticesKey)?.filter(({ id }) => news.noticeIds.includes(id)) ?? []
      for (const { ticketId } of deleted) toast.hide(toastIdOf(ticketId))
      return hear({ gone: news.noticeIds })
    }
    hear({ put: news.notice })
    const focused = isTabFocused()
    void runInOneTab(`notice ${news.notice.id}`, focused ? 'first' : 'last', tabHoldMs, () =>
      showNoticeToast(news.notice, me, focused, (path) => void navigate({ href: path })),
    )
  })
  useResync(useRefetchQuery(noticesKey))
  return query.data ?? []
}

const toastIdOf = (ticketId: number) => `notice-${ticketId}`

function showNoticeToast(notice: Notice, me: SessionUser, focused: boolean, go: (path: string) => void): void {
  const words = currentTexts(notificationTexts)
  const path = noticePath(notice)
  const customer = notice.contact.name || notice.contact.number
  const title = words[notice.kind](notice.by.name, customer)
  const here = focused && location.pathname === path
  if (!here) playNotificationSound()
  toast.info(title, notice.note ?? undefined, {
    id: toastIdOf(notice.ticketId),
    lasts: toastDurationMs,
    ...(!here && { action: { label: words.open, run: () => go(path) } }),
  })
  if (!focused && readNotificationPermission() === 'granted' && areNotificationsEnabled(me.id))
    void showSystemNotification(notice, title, notice.note ?? '')
}
