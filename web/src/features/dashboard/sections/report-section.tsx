import { Skeleton } from '@mantine/core'
import type { Endpoint, Reply } from '@recado/contract/endpoint'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callApi } from '../../../lib/api.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import cards from '../dashboard.module.css'
import type { DashboardQuery } from '../use-dashboard-query.ts'
import { dashboardKey, useReportPollMs } from '../use-dashboard-reports.ts'

type Props<E extends Endpoint> = {
  endpoint: E
  query: Partial<DashboardQuery> & { day?: string | undefined }
  height: number
  title: string
  children: (data: Reply<E>) => ReactNode
}

/**
 * Loads the data of a section and refreshes it with the rest of the page. Printing waits while `data-unseen` is in the
 * page (use-print-dashboard.ts): a section has this mark until the reply to its query is drawn.
 */
export function ReportSection<E extends Endpoint>({ endpoint, query, height, title, children }: Props<E>) {
  const read = useQuery({
    queryKey: [dashboardKey, endpoint.path, query],
    queryFn: ({ signal }) => callApi(endpoint, { query } as never, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    refetchInterval: useReportPollMs(),
  })
  if (read.data)
    return (
      <>
        {read.isPlaceholderData && <span hidden data-unseen />}
        {children(read.data as Reply<E>)}
      </>
    )
  if (!read.isError) return <Skeleton height={height} radius={12} data-unseen />
  return (
    <section className={cards.card} aria-label={title}>
      <ErrorState title={title} error={read.error} onRetry={() => void read.refetch()} />
    </section>
  )
}
