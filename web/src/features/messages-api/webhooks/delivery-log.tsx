import { ActionIcon, Button, NativeSelect, Skeleton, Tooltip } from '@mantine/core'
import { type Webhook, type WebhookDelivery, webhooksApi, webhookToolsApi } from '@recado/contract/api-access/webhooks'
import { IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatDayTime, formatNumber, formatTime } from '../../../lib/format.ts'
import { useRecordNews, useResync } from '../../../lib/live.ts'
import { useRefetchQuery } from '../../../lib/query-cache.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { webhookTexts } from './texts.ts'
import { findDecisiveAttempt, isSuccessStatus, webhookName } from './webhook-summary.ts'
import classes from './webhooks.module.css'

export const deliveryLogKey = (webhookId: number, ...more: (boolean | string)[]) => ['webhook-log', webhookId, ...more]

type Props = { webhook: Webhook; selectedId: string | null; onSelect: (id: string | null) => void }

/** Deliveries, newest first. Reloaded on every event about the webhook. */
export function DeliveryLog({ webhook, selectedId, onSelect }: Props) {
  const words = useTexts(webhookTexts)
  const [failed, setFailed] = useState(false)
  const key = deliveryLogKey(webhook.id, 'list', failed)
  const refetch = useRefetchQuery(key)
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      callApi(
        webhookToolsApi.deliveries,
        { params: { id: webhook.id }, query: { failed, ...(pageParam && { before: pageParam }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ deliveries, hasMore }) => (hasMore ? deliveries.at(-1)?.id : undefined),
    staleTime: 0,
    retry: false,
  })
  useRecordNews(webhooksApi.topic, (news) => {
    if (news.action === 'update' && news.row.id === webhook.id) refetch()
  })
  useResync(refetch)
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? []
  return (
    <section className={classes.log} aria-label={words.log(webhookName(webhook))}>
      <div className={classes.tools}>
        <NativeSelect
          aria-label={words.which}
          size="xs"
          data={[
            { value: 'all', label: words.all },
            { value: 'failed', label: words.failed },
          ]}
          value={failed ? 'failed' : 'all'}
          onChange={(event) => setFailed(event.currentTarget.value === 'failed')}
        />
        <Tooltip label={words.refresh}>
          <ActionIcon
            size={28}
            aria-label={words.refresh}
            loading={query.isRefetching}
            onClick={() => void query.refetch()}
          >
            <IconRefresh size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </div>
      {query.isPending && <Skeleton height={90} m={12} width="auto" />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && deliveries.length === 0 && (
        <p className={classes.none}>{failed ? words.noneFailed : words.none}</p>
      )}
      {deliveries.length > 0 && (
        <ul className={classes.list}>
          {deliveries.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                className={classes.row}
                aria-pressed={one.id === selectedId}
                onClick={() => onSelect(one.id === selectedId ? null : one.id)}
              >
                <time dateTime={one.createdAt} title={formatDayTime(one.createdAt)}>
                  {formatTimeWithSeconds(one.createdAt)}
                </time>
                <DeliveryStatus delivery={one} />
                <code>{one.type}</code>
                <span className={classes.took}>{durationOfDelivery(one)}</span>
                <span className={classes.outcome}>{describeOutcome(one, words)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          m={8}
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {words.more}
        </Button>
      )}
    </section>
  )
}

export const formatTimeWithSeconds = (at: string): string =>
  `${formatTime(at)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`
export const formatDeliveryDuration = (ms: number): string =>
  ms < 1000 ? `${formatNumber(ms)} ms` : `${formatNumber(Math.round(ms / 100) / 10, 1)} s`
const durationOfDelivery = (one: WebhookDelivery): string => {
  const shown = findDecisiveAttempt(one)
  return shown ? formatDeliveryDuration(shown.ms) : ''
}

function describeOutcome({ state, tries: { length: n } }: WebhookDelivery, words: (typeof webhookTexts)['es']): string {
  if (state === 'done') return n <= 1 ? words.first : words.arrived(n)
  if (state === 'given-up') return words.gaveUp(n)
  return n === 0 ? words.soon : words.trying(n)
}

/** The response status; a delivery without a response has no number. */
function DeliveryStatus({ delivery }: { delivery: WebhookDelivery }) {
  const words = useTexts(webhookTexts)
  const shown = findDecisiveAttempt(delivery)
  return <StatusCode status={shown?.status ?? null} emptyText={shown ? words.nobody : words.pending} />
}

export function StatusCode({ status, emptyText }: { status: number | null; emptyText: string }) {
  const kind = status === null ? 'off' : isSuccessStatus(status) ? 'ok' : 'danger'
  return (
    <span className={classes.status} data-kind={kind}>
      {status || emptyText}
    </span>
  )
}
