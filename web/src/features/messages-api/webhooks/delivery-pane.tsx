import { Button, Skeleton } from '@mantine/core'
import { type Delivery, webhooksApi, webhookToolsApi } from '@recado/contract/doors/webhooks'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { day, dayTime } from '../../../lib/format.ts'
import { useNews, useResync } from '../../../lib/live.ts'
import { textsNow, useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { useAgain } from '../../../lib/told.ts'
import { troubleIn, troubleTexts } from '../../../parts/machines/trouble.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Code } from '../code/code.tsx'
import { laidOut } from '../code/highlight.ts'
import { Answered, clock, logKey, tookIn } from './delivery-log.tsx'
import { isFine } from './summary.ts'
import { webhookTexts } from './texts.ts'
import classes from './webhooks.module.css'

/** One delivery: every try, what was said, what came back. */
export function DeliveryPane({ hook, id }: { hook: number; id: string }) {
  const words = useTexts(webhookTexts)
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const params = { id: hook, deliveryId: id }
  const key = logKey(hook, 'one', id)
  const changed = useAgain(key)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(webhookToolsApi.delivery, { params }, { signal }),
    staleTime: 0,
    retry: false,
  })
  useNews(webhooksApi.topic, (news) => {
    if (news.action === 'update' && news.row.id === hook) changed()
  })
  useResync(changed)
  const again = async () => {
    setBusy(true)
    try {
      await call(webhookToolsApi.again, { params })
      toast.ok(words.againDone)
      await client.invalidateQueries({ queryKey: logKey(hook) })
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
            {day(createdAt)} {clock(createdAt)} · {eventId}
            {ticketId !== null && ` · ${words.ticket(ticketId)}`}
            {trace !== null && ` · ${words.trace(trace)}`}
          </small>
        </span>
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconRefresh size={16} stroke={1.75} />}
          onClick={() => void again()}
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
            <Answered status={one.status} none={words.nobody} />
            <span title={dayTime(one.at)}>{tryLine(one, tries[0], words)}</span>
          </li>
        ))}
      </ol>
      {state === 'waiting' && nextAt && <p className={classes.quiet}>{words.nextTry(clock(nextAt))}</p>}
      <h3>{words.body}</h3>
      <Code boxed code={laidOut(body)} language="json" label={words.body} />
      {answer !== '' && (
        <>
          <h3>{words.answer}</h3>
          <Code boxed code={laidOut(answer)} language="json" label={words.answer} />
        </>
      )}
    </div>
  )
}

type Try = Delivery['tries'][number]
/** "a los 35 s · 82 ms", with the reason where it went wrong. */
function tryLine(one: Try, first: Try | undefined, words: (typeof webhookTexts)['es']): string {
  const later = first ? Date.parse(one.at) - Date.parse(first.at) : 0
  return [
    ...(later > 0 ? [words.after(tookIn(later))] : []),
    tookIn(one.ms),
    ...(one.error && !isFine(one.status) ? [troubleIn(textsNow(troubleTexts), one.error)] : []),
  ].join(' · ')
}
