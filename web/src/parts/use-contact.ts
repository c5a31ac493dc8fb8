import { type ContactDetail, contactsApi } from '@recado/contract/contacts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../lib/api.ts'
import { useRecordNews, useResync } from '../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../lib/query-cache.ts'

export const contactKey = (id: number) => ['contact', id] as const

/** One contact with its details, kept current. The known fields are shown until the details are loaded. */
export function useContact(id: number) {
  const client = useQueryClient()
  const key = contactKey(id)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(contactsApi.show, { params: { id } }, { signal }),
    retry: false,
  })
  const again = useRefetchQuery(key)
  useRecordNews(contactsApi.topic, (news) => {
    if (news.action === 'delete' || news.row.id !== id) return
    // Events contain no details, so the cached details stay until they are reloaded.
    updateCachedQuery<ContactDetail>(client, key, (old) => ({ ...old, ...news.row }))
    again()
  })
  useResync(again)
  return query
}
