import { useDebouncedValue } from '@mantine/hooks'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type DryRun, flowsApi } from '@recado/contract/flows/flows'
import { topics } from '@recado/contract/live'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callApi } from '../../../../lib/api.ts'
import { useLiveTopic } from '../../../../lib/live.ts'
import { setCachedQuery } from '../../../../lib/query-cache.ts'

/** The dry run begins this long after the last change. */
const recountDelayMs = 300
/** In case the news about its progress are lost. */
const pollMs = 2000
/** A dry run that takes longer shows what it has found so far, from today backwards. */
const patienceMs = 2000

export type DryRunView = {
  /** Null: nothing was counted yet. */
  run: DryRun | null
  isCounting: boolean
  /** Nothing that starts the rule can be looked up in the past. */
  isUnknown: boolean
  error: unknown
  retry: () => void
}

/** What the draft would have done in the last 30 days. The former figures stay while the new ones are counted. */
export function useDryRun(document: FlowDocument, flowId: number): DryRunView {
  const client = useQueryClient()
  const text = JSON.stringify(document)
  const [wanted] = useDebouncedValue(text, recountDelayMs)
  const isReady = document.triggers.length > 0
  const begun = useQuery({
    queryKey: ['dry-run-begun', flowId, wanted],
    queryFn: ({ signal }) =>
      callApi(flowsApi.dryRun, { body: { document: JSON.parse(wanted) as FlowDocument, flowId } }, { signal }),
    enabled: isReady,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const id = begun.data?.id
  const key = ['dry-run', id]
  const progress = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(flowsApi.dryRunResult, { params: { id: id ?? 0 } }, { signal }),
    enabled: begun.data?.state === 'running',
    gcTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (!state.data || state.data.state === 'running' ? pollMs : false),
  })
  useLiveTopic(topics.flowDryRun, ({ dryRun }) => {
    if (dryRun.id === id) setCachedQuery(client, key, dryRun)
  })
  const run = progress.data ?? begun.data ?? null
  const isRunning = run?.state === 'running'
  // Nobody waits for a dry run of an older draft.
  useEffect(() => {
    if (id === undefined || !isRunning) return
    return () => {
      const last = client.getQueryData<DryRun>(['dry-run', id])
      if (!last || last.state === 'running')
        void callApi(flowsApi.stopDryRun, { params: { id } }).catch(() => undefined)
    }
  }, [id, isRunning, client])
  const isLate = useIsLate(isRunning ? id : undefined)
  const [settled, setSettled] = useState<DryRun | null>(null)
  const shown = run && (!isRunning || isLate || !settled) ? run : settled
  if (run && !isRunning && run !== settled) setSettled(run)
  const isUnknown =
    isReady && shown !== null && document.triggers.every(({ kind }) => shown.unknownTriggers.includes(kind))
  const error = begun.error ?? (run ? null : progress.error)
  return {
    run: isReady ? shown : null,
    isUnknown,
    isCounting: isReady && !error && (text !== wanted || begun.isFetching || isRunning),
    error,
    retry: () => void begun.refetch(),
  }
}

/** Whether the dry run takes longer than one waits without seeing anything. */
function useIsLate(id: number | undefined): boolean {
  const [late, setLate] = useState<number>()
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(() => setLate(id), patienceMs)
    return () => clearTimeout(timer)
  }, [id])
  return id !== undefined && late === id
}
