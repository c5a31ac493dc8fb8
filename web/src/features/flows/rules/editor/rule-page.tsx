import { Skeleton } from '@mantine/core'
import { flowsApi } from '@recado/contract/flows/flows'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../../../lib/api.ts'
import { ErrorState } from '../../../../ui/error-state.tsx'
import classes from './editor.module.css'
import { RuleEditor } from './rule-editor.tsx'

/** Each opening of the page has its own query: cached data of an earlier opening may be outdated. */
let openingCount = 0

/** A rule: its sentence on the left, on the right what it would have done. */
export function RulePage() {
  const { ruleId } = useParams({ strict: false })
  const id = Number(ruleId)
  const [opening] = useState(() => ++openingCount)
  const { data, error, refetch } = useQuery({
    queryKey: ['rule', id, opening],
    queryFn: ({ signal }) => callApi(flowsApi.show, { params: { id } }, { signal }),
    // The draft must not change while it is being edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RuleSkeleton />
  return <RuleEditor key={data.id} loaded={data} />
}

const RuleSkeleton = () => (
  <div className={classes.page} aria-busy="true">
    <div className={classes.header}>
      <Skeleton height={18} width={180} />
    </div>
    <div className={classes.columns}>
      <div className={classes.left}>
        {[40, 90, 130].map((height) => (
          <Skeleton key={height} height={height} mb={24} radius={10} />
        ))}
      </div>
      <div className={classes.right} />
    </div>
  </div>
)
