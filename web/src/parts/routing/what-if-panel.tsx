import { Loader, NativeSelect, NumberInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Reply } from '@recado/contract/endpoint'
import type { RoutingMode } from '@recado/contract/queues'
import { maxPeopleAdded, routingApi } from '@recado/contract/routing/live'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatDay, formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import classes from './what-if-panel.module.css'
import { whatIfTexts } from './what-if-texts.ts'

type WhatIf = Reply<typeof routingApi.whatIf>
type Props = { queueId: number; routing: RoutingMode; capacity: number | null }

/** The delay after the last change before the month is replayed. */
const replayDelayMs = 300

/** The last month of a queue with other rules or more people: waiting times before and after, side by side. */
export function WhatIfPanel({ queueId, routing, capacity }: Props) {
  const words = useTexts(whatIfTexts)
  const [draft, setDraft] = useState({
    people: 1,
    routing: routing === 'manual' ? ('fewestOpen' as const) : routing,
    capacity: capacity === null ? '' : String(capacity),
  })
  const [asked] = useDebouncedValue(draft, replayDelayMs)
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['routing', 'what-if', queueId, asked],
    queryFn: ({ signal }) => callApi(routingApi.whatIf, { query: { queueId, ...asked } }, { signal }),
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
  })
  return (
    <div className={classes.root}>
      <div className={classes.controls}>
        <NumberInput
          label={words.people}
          min={0}
          max={maxPeopleAdded}
          allowDecimal={false}
          clampBehavior="strict"
          value={draft.people}
          onChange={(people) => setDraft({ ...draft, people: Number(people) || 0 })}
        />
        <NativeSelect
          label={words.routing}
          value={draft.routing}
          onChange={(event) =>
            setDraft({ ...draft, routing: event.currentTarget.value as 'roundRobin' | 'fewestOpen' })
          }
          data={(['roundRobin', 'fewestOpen'] as const).map((way) => ({ value: way, label: words.ways[way] }))}
        />
        <NumberInput
          label={words.capacity}
          placeholder={words.noLimit}
          min={1}
          max={1000}
          allowDecimal={false}
          clampBehavior="strict"
          value={draft.capacity}
          onChange={(value) => setDraft({ ...draft, capacity: String(value) })}
        />
      </div>
      {data ? (
        <div className={classes.results} aria-busy={isFetching} aria-live="polite">
          <Results whatIf={data} />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loader size="sm" />
      )}
      <details className={classes.assumes}>
        <summary>{words.assumes}</summary>
        <ul>
          {words.assumptions.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function Results({ whatIf }: { whatIf: WhatIf }) {
  const words = useTexts(whatIfTexts)
  const { actual, after, ticketCount, peopleCount, from, isShortened } = whatIf
  const before = whatIf.before ?? actual
  if (!before || !after || !from) return <p className={classes.line}>{words.nothing}</p>
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{words.wait}</th>
            <th scope="col">{words.before}</th>
            <th scope="col">{words.after}</th>
          </tr>
        </thead>
        <tbody>
          <WaitRow name={words.median} before={before.medianSeconds} after={after.medianSeconds} />
          <WaitRow name={words.p90} before={before.p90Seconds} after={after.p90Seconds} />
        </tbody>
      </table>
      <p className={classes.line}>{words.replayed(formatNumber(ticketCount), peopleCount, formatDay(from))}</p>
      {after.unattendedCount > 0 && <p className={classes.line}>{words.unattended(after.unattendedCount)}</p>}
      {isShortened && <p className={classes.line}>{words.shortened}</p>}
      {whatIf.before === null && <p className={classes.line}>{words.beforeIsActual}</p>}
    </>
  )
}

function WaitRow({ name, before, after }: { name: string; before: number; after: number }) {
  const words = useTexts(whatIfTexts)
  const [shownBefore, shownAfter] = [formatSeconds(before), formatSeconds(after)]
  const verdict = shownAfter === shownBefore ? 'same' : after < before ? 'better' : 'worse'
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-before>{shownBefore}</td>
      <td>
        {shownAfter}{' '}
        <span className={classes.verdict} data-verdict={verdict}>
          {words[verdict]}
        </span>
      </td>
    </tr>
  )
}

/** Seconds, minutes or hours: the same in every language. */
function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`
}
