import { contactListsApi, type ListImport } from '@recado/contract/campaigns/contact-lists'
import { topics } from '@recado/contract/live'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../../lib/api.ts'
import { useLiveTopic, useResync } from '../../../../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../../../../lib/query-cache.ts'

/** The last imports into a list with their progress. Events only have counts; row errors are loaded at the end. */
export function useListImports(contactListId: number) {
  const client = useQueryClient()
  const key = ['list-imports', contactListId]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(contactListsApi.imports, { params: { id: contactListId } }, { signal }),
  })
  const refetch = useRefetchQuery(key)
  const updateCache = (one: ListImport) => {
    updateCachedQuery<ListImport[]>(client, key, (old) => [one, ...old.filter(({ id }) => id !== one.id)])
    // A short import may be over, and its events published, before the response to its start arrives.
    if (one.state === 'running') refetch()
  }
  useLiveTopic(topics.listImport, ({ record }) => {
    if (record.contactListId !== contactListId) return
    updateCachedQuery<ListImport[]>(client, key, (old) =>
      old.map((one) => (one.id === record.id ? { ...one, ...record } : one)),
    )
    if (record.state !== 'running' || !query.data?.some(({ id }) => id === record.id)) refetch()
  })
  useResync(refetch)
  return {
    all: query.data ?? [],
    running: query.data?.find(({ state }) => state === 'running'),
    updateCache: updateCache,
  }
}
export type ListImports = ReturnType<typeof useListImports>
