import { Button, Skeleton } from '@mantine/core'
import { type WebhookDelivery, webhooksApi, webhookToolsApi } from '@recado/contract/api-access/webhooks'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatDay, formatDayTime } from '../../../lib/format.ts'
import { useRecordNews, useResync } from '../../../lib/live.ts'
import { useRefetchQuery } from '../../../lib/query-cache.ts'
import { currentTexts, useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { callFailureTexts, describeCallFailure } from '../../../parts/integrations/call-failures.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { formatJson } from '../code/highlight-code.ts'
import { deliveryLogKey, formatDeliveryDuration, formatTimeWithSeconds, StatusCode } from './delivery-log.tsx'
import { webhookTexts } from './texts.ts'
import { isSuccessStatus } from './webhook-summary.ts'
import classes from './webhooks.module.css'

/** One delivery: every attempt, the request and the response. */
export function DeliveryPane({ hook, id }: { hook: number; id: string }) {
  const words = useTexts(webhookTexts)
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const params = { id: hook, deliveryId: id }
  const key = deliveryLogKey(hook, 'one', id)
  const changed = useRefetchQuery(key)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(webhookToolsApi.delivery, { params }, { signal }),
    staleTime: 0,
    retry: false,
  })
  useRecordNews(webhooksApi.topic, (news) => {
    if (news.action === 'update' && news.row.id === hook) changed()
  })
  useResync(changed)
  const sendAgain = async () => {
    setBusy(true)
    try {
      await callApi(webhookToolsApi.again, { params })
      toast.ok(words.againDone)
      await client.invalidateQueries({ queryKey: deliveryLogKey(hook) })
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) return <Skeleton height={180} m={16} width="auto" />
  const { type, createdAt, eventId, tries, nextAt, state, body, answer, ticketId, trace } = query.data
  return (
    <div className={classes.pane}>
      <header className={classes.paneHead}>
        <span>
          <b>{type}</b>
          <small>
            {formatDay(createdAt)} {formatTimeWithSeconds(createdAt)} · {eventId}
            {ticketId !== null && ` · ${words.ticket(ticketId)}`}
            {trace !== null && ` · ${words.trace(trace)}`}
          </small>
        </span>
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconRefresh size={16} stroke={1.75} />}
          onClick={() => void sendAgain()}
        >
          {words.again}
        </Button>
      </header>
      <h3>{words.tries}</h3>
      {tries.length === 0 && <p className={classes.quiet}>{words.noTries}</p>}
      <ol className={classes.tries}>
        {tries.map((one, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tries stand in their order
          <li key={i}>
            <span>{i + 1}</span>
            <StatusCode status={one.status} emptyText={words.nobody} />
            <span title={formatDayTime(one.at)}>{describeAttempt(one, tries[0], words)}</span>
          </li>
        ))}
      </ol>
      {state === 'waiting' && nextAt && <p className={classes.quiet}>{words.nextTry(formatTimeWithSeconds(nextAt))}</p>}
      <h3>{words.body}</h3>
      <CodeBlock hasFrame code={formatJson(body)} language="json" label={words.body} />
      {answer !== '' && (
        <>
          <h3>{words.answer}</h3>
          <CodeBlock hasFrame code={formatJson(answer)} language="json" label={words.answer} />
        </>
      )}
    </div>
  )
}

type DeliveryAttempt = WebhookDelivery['tries'][number]
/** For example "a los 35 s · 82 ms", with the reason of a failure. */
function describeAttempt(
  one: DeliveryAttempt,
  first: DeliveryAttempt | undefined,
  words: (typeof webhookTexts)['es'],
): string {
  const later = first ? Date.parse(one.at) - Date.parse(first.at) : 0
  return [
    ...(later > 0 ? [words.after(formatDeliveryDuration(later))] : []),
    formatDeliveryDuration(one.ms),
    ...(one.error && !isSuccessStatus(one.status)
      ? [describeCallFailure(currentTexts(callFailureTexts), one.error)]
      : []),
  ].join(' · ')
}
