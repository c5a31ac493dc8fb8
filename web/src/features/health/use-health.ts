import { healthApi, type PlatformHealth, type RetryKind } from '@recado/contract/health/health'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts } from './texts.ts'

/** The polling interval while the page is visible; a hidden tab does not poll. */
const pollMs = 3000
/** The number of samples that fit into a sparkline: two minutes. */
const maxSamples = 40

/** The current state and the recent samples. */
export function useHealth(searchParam: string) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const [past, setPast] = useState<PlatformHealth[]>([])
  const [busy, setBusy] = useState<string | null>(null)
  const query = useQuery({
    queryKey: ['health', searchParam],
    queryFn: () => callApi(healthApi.show, { query: { searchParam } }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  })
  const { data } = query
  useEffect(() => {
    if (data) setPast((before) => (before.at(-1)?.at === data.at ? before : [...before.slice(1 - maxSamples), data]))
  }, [data])
  const retry = async (kind: RetryKind, id: number) => {
    setBusy(`${kind} ${id}`)
    try {
      await callApi(healthApi.again, { body: { kind, id } })
      toast.ok(words.retried)
      await client.invalidateQueries({ queryKey: ['health'] })
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(null)
    }
  }
  return { query, samples: past, busyKey: busy, retry }
}
