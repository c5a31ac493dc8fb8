import { Skeleton } from '@mantine/core'
import type { PlatformHealth } from '@recado/contract/health/health'
import { IconAlertTriangle, IconHeartbeat } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import classes from './health.module.css'
import { HealthBacklog } from './health-backlog.tsx'
import { HealthFailures } from './health-failures.tsx'
import { HealthLines } from './health-lines.tsx'
import { HealthProcesses } from './health-processes.tsx'
import { countTroubles, isHealthy } from './health-troubles.ts'
import { texts } from './texts.ts'
import { useHealth } from './use-health.ts'

/** Health of the platform for its operator: processes, lines, backlog, failures, and retry. */
export function HealthPage() {
  const words = useTexts(texts)
  const [search, setSearch] = useState('')
  const { query, samples: past, busyKey: busy, retry } = useHealth(search)
  const { data } = query
  return (
    <div className={classes.page}>
      <PageHeader title={words.title} line={data && words.fresh(formatTime(data.at))} />
      <div className={classes.body}>
        {query.isPending && <Skeleton height={360} radius="md" />}
        {!query.isPending && !data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {data && (
          <>
            <Summary data={data} />
            {data.cannotBePaid && (
              <InlineNotice kind="warn">
                {words.cannotBePaid}{' '}
                <Link to="/money" className={classes.inlineLink}>
                  {words.setUpPayment}
                </Link>
              </InlineNotice>
            )}
            {(data.failures.length > 0 || isHealthy(data)) && (
              <HealthFailures failures={data.failures} busyKey={busy} onRetry={(kind, id) => void retry(kind, id)} />
            )}
            <HealthBacklog data={data} samples={past} />
            <HealthProcesses data={data} samples={past} />
            <HealthLines
              data={data}
              search={search}
              onSearch={setSearch}
              busyKey={busy}
              onRetry={(id) => void retry('line', id)}
            />
          </>
        )}
      </div>
    </div>
  )
}

/** The summary in one sentence. */
function Summary({ data }: { data: PlatformHealth }) {
  const words = useTexts(texts)
  const total = data.statuses.reduce((sum, { count }) => sum + count, 0)
  const counts = countTroubles(data)
  const countTexts = (Object.keys(counts) as (keyof typeof counts)[]).flatMap((kind) =>
    counts[kind] > 0 ? words.troubled[kind](counts[kind]) : [],
  )
  const isWell = countTexts.length === 0
  const Drawn = isWell ? IconHeartbeat : IconAlertTriangle
  return (
    <section className={classes.summary} data-kind={isWell ? 'ok' : 'warn'}>
      <Drawn size={28} stroke={1.6} aria-hidden="true" />
      <span className={classes.grow}>
        <strong>{isWell ? words.allWell : words.lookHere}</strong>
        <span>{isWell ? (total ? words.allWellLine(total) : words.noLines) : countTexts.join(' · ')}</span>
      </span>
    </section>
  )
}
