import { contactListsApi, type ListImport } from '@recado/contract/campaigns/contact-lists'
import { topics } from '@recado/contract/live'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { useLive, useResync } from '../../../../lib/live.ts'
import { tell, useAgain } from '../../../../lib/told.ts'

/** The last imports into a list, as far as they have come. The news has numbers alone: what was wrong is read at the end. */
export function useImports(contactListId: number) {
  const client = useQueryClient()
  const key = ['list-imports', contactListId]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(contactListsApi.imports, { params: { id: contactListId } }, { signal }),
  })
  const again = useAgain(key)
  const put = (one: ListImport) => {
    tell<ListImport[]>(client, key, (old) => [one, ...old.filter(({ id }) => id !== one.id)])
    // A short one may be over, and its news told, before the answer that it runs is here.
    if (one.state === 'running') again()
  }
  useLive(topics.listImport, ({ record }) => {
    if (record.contactListId !== contactListId) return
    tell<ListImport[]>(client, key, (old) => old.map((one) => (one.id === record.id ? { ...one, ...record } : one)))
    if (record.state !== 'running' || !query.data?.some(({ id }) => id === record.id)) again()
  })
  useResync(again)
  return { all: query.data ?? [], running: query.data?.find(({ state }) => state === 'running'), put }
}
export type Imports = ReturnType<typeof useImports>
