import { type Notice, noticesApi } from '@recado/contract/notices'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { callApi } from '../lib/api.ts'
import { updateCachedQuery } from '../lib/query-cache.ts'
import { useIsTabVisible } from '../ui/use-is-tab-visible.ts'

export const noticesKey = ['notices']

/** The user's notifications from others, as loaded or last updated (see app/notifications). */
export const useNotices = (): Notice[] =>
  useQuery<Notice[]>({ queryKey: noticesKey, enabled: false, staleTime: Number.POSITIVE_INFINITY }).data ?? noNotices
const noNotices: Notice[] = []

export const dropNotices = (client: QueryClient, gone: (notice: Notice) => boolean): void =>
  updateCachedQuery<Notice[]>(client, noticesKey, (old) =>
    old.some(gone) ? old.filter((notice) => !gone(notice)) : old,
  )

/** The newest notification kind by ticket, which highlights rows in addition to unread messages. */
export function useNoticeKindByTicket(): ReadonlyMap<number, Notice['kind']> {
  const notices = useNotices()
  return useMemo(() => new Map(notices.toReversed().map(({ ticketId, kind }) => [ticketId, kind])), [notices])
}

/** Marks the notifications of a ticket as seen, because the user opened it. */
export function useMarkNoticesRead(ticketId: number): void {
  const client = useQueryClient()
  const told = useNotices().some((notice) => notice.ticketId === ticketId)
  const visible = useIsTabVisible()
  useEffect(() => {
    if (!told || !visible) return
    dropNotices(client, (notice) => notice.ticketId === ticketId)
    // A failed call is repeated at the next visit: the server keeps the notification until then.
    callApi(noticesApi.read, { body: { ticketId } }).catch(() => undefined)
  }, [client, ticketId, told, visible])
}

/** Where a notice leads: a report about a line to the lines, everything else to its ticket. */
export const noticePath = ({ kind, uuid }: Pick<Notice, 'kind' | 'uuid'>): string =>
  kind === 'line-health' ? '/connections' : `/tickets/${uuid}`
