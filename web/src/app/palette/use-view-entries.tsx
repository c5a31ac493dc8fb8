import { ticketViewsApi } from '@recado/contract/views/ticket-views'
import { IconBookmark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { callApi } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { changeTicketView } from '../../parts/ticket/ticket-view.ts'
import type { PaletteGroup } from './entries.ts'
import { paletteTexts } from './texts.ts'

/** The saved views of tickets with their counts; an error leaves them out. */
export function useViewEntries(): PaletteGroup {
  const words = useTexts(paletteTexts)
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  const shared = { staleTime: 10_000, retry: false } as const
  const views = useQuery({
    queryKey: ['palette', 'views'],
    queryFn: async ({ signal }) => (await callApi(ticketViewsApi.list, {}, { signal })).views,
    ...shared,
  })
  const counts = useQuery({
    queryKey: ['palette', 'view-counts'],
    queryFn: async ({ signal }) => (await callApi(ticketViewsApi.counts, {}, { signal })).counts,
    enabled: (views.data?.length ?? 0) > 0,
    ...shared,
  })
  const countOf = (id: number) => counts.data?.find(({ viewId }) => viewId === id)?.count ?? null
  return {
    name: words.views,
    entries: (views.data ?? []).map(({ id, name }) => {
      const count = countOf(id)
      return {
        id: `view-${id}`,
        label: name,
        icon: <IconBookmark size={18} stroke={1.75} aria-hidden="true" />,
        ...(count !== null && { aside: formatNumber(count) }),
        run: () => {
          changeTicketView(me, { tab: 'open', search: '', viewId: id })
          void navigate({ href: '/tickets' })
        },
      }
    }),
  }
}
