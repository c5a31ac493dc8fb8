import { Button, Select, Skeleton } from '@mantine/core'
import type { ExternalCall } from '@recado/contract/integrations/external-calls'
import { IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay, formatNumber, formatTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { callFailureTexts, describeCallFailure } from './call-failures.ts'
import classes from './call-log.module.css'
import { callLogTexts } from './call-log-texts.ts'
import { repeatCall } from './repeat-call.ts'

export type CallLogQuery = { before?: number; failed: boolean }
type Props = {
  /** The query key, which identifies the owner of the calls. */
  of: readonly (string | number)[]
  loadPage: (asked: CallLogQuery, signal: AbortSignal) => Promise<{ calls: ExternalCall[]; hasMore: boolean }>
}

/** The last calls to a model or integration, newest first, with the request and response of the selected call. */
export function CallLog({ of, loadPage }: Props) {
  const words = useTexts(callLogTexts)
  const [failed, setFailed] = useState(false)
  const [open, setOpen] = useState<number>()
  const query = useInfiniteQuery({
    queryKey: ['machine-calls', ...of, failed],
    queryFn: ({ pageParam, signal }) => loadPage({ failed, ...(pageParam && { before: pageParam }) }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ calls, hasMore }) => (hasMore ? calls.at(-1)?.id : undefined),
    staleTime: 0,
    retry: false,
  })
  const calls = query.data?.pages.flatMap((page) => page.calls) ?? []
  const opened = calls.find(({ id }) => id === open)
  return (
    <section className={classes.root} aria-label={words.title}>
      <header className={classes.head}>
        <h3>{words.title}</h3>
        <Select
          aria-label={words.which}
          size="xs"
          className={classes.which ?? ''}
          allowDeselect={false}
          data={[
            { value: 'all', label: words.all },
            { value: 'failed', label: words.failed },
          ]}
          value={failed ? 'failed' : 'all'}
          onChange={(value) => setFailed(value === 'failed')}
        />
      </header>
      {query.isPending && <Skeleton height={90} m={12} width="auto" />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && calls.length === 0 && <p className={classes.none}>{failed ? words.noneFailed : words.none}</p>}
      {calls.length > 0 && (
        <ul className={classes.list}>
          {calls.map((call) => (
            <li key={call.id}>
              <button
                type="button"
                className={classes.call}
                aria-expanded={call.id === open}
                onClick={() => setOpen(call.id === open ? undefined : call.id)}
              >
                <time dateTime={call.at}>{formatTimeWithSeconds(call.at)}</time>
                <StatusCode call={call} />
                <span className={classes.who}>{callerName(call, words)}</span>
                <span className={classes.took}>{formatDuration(call.ms)}</span>
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
      {opened && <Details key={opened.id} call={opened} of={of} />}
    </section>
  )
}

const formatTimeWithSeconds = (at: string) => `${formatTime(at)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`
const formatDuration = (ms: number) =>
  ms < 1000 ? `${formatNumber(ms)} ms` : `${formatNumber(Math.round(ms / 100) / 10)} s`
/** The customer's name; a call without a ticket has no customer. */
const callerName = ({ contactName, ticketId, kind }: ExternalCall, words: (typeof callLogTexts)['es']) =>
  contactName || (ticketId === null ? words.trial : words.kinds[kind])

/** The response status; a call without a response has no number. */
function StatusCode({ call: { status, ok } }: { call: ExternalCall }) {
  const words = useTexts(callLogTexts)
  return (
    <span className={classes.code} data-ok={ok || undefined}>
      {status > 0 ? status : ok ? words.fine : words.nobody}
    </span>
  )
}

function Details({ call, of }: Pick<Props, 'of'> & { call: ExternalCall }) {
  const words = useTexts(callLogTexts)
  const troubles = useTexts(callFailureTexts)
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const repeat = async () => {
    setBusy(true)
    try {
      const made = await repeatCall(call)
      if (made.ok) toast.ok(words.sentAgain, made.says || formatDuration(made.ms))
      else toast.warn(words.failedAgain, describeCallFailure(troubles, made.error))
      await client.invalidateQueries({ queryKey: ['machine-calls', ...of] })
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  const tokens = call.tokensIn + call.tokensOut
  return (
    <div className={classes.details}>
      <div className={classes.sort}>
        <b>
          {formatDay(call.at)} {formatTimeWithSeconds(call.at)}
        </b>
        {tokens > 0 && <span>{words.tokens(formatNumber(call.tokensIn), formatNumber(call.tokensOut))}</span>}
        {/* A transcription cannot be repeated. */}
        {call.kind !== 'voice' && (
          <Button
            variant="default"
            size="xs"
            loading={busy}
            leftSection={<IconRefresh size={15} stroke={1.75} />}
            onClick={() => void repeat()}
          >
            {words.again}
          </Button>
        )}
      </div>
      {call.error !== '' && <p className={classes.error}>{describeCallFailure(troubles, call.error)}</p>}
      <Text label={words.asked}>{call.asked}</Text>
      <Text label={words.answered}>{call.answered}</Text>
    </div>
  )
}

function Text({ label, children }: { label: string; children: string }) {
  if (children === '') return null
  return (
    <>
      <span className={classes.label}>{label}</span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre className={classes.text} tabIndex={0}>
        {formatJson(children)}
      </pre>
    </>
  )
}

/** Pretty-prints JSON; truncated or other text stays unchanged. */
function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
