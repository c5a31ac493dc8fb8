import { flowsApi } from '@recado/contract/flows/flows'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../../lib/api.ts'

/** Each opening of a page has its own query: cached data of an earlier opening may be outdated. */
let openingCount = 0

/** A flow as it was when its editor was opened: the draft must not change while it is being edited. */
export function useFlowOnce(id: number) {
  const [opening] = useState(() => ++openingCount)
  return useQuery({
    queryKey: ['flow', id, opening],
    queryFn: ({ signal }) => callApi(flowsApi.show, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
}
