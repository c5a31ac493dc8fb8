import { Button, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDebouncedValue, useThrottledCallback } from '@mantine/hooks'
import { type Campaign, type CampaignPerson, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatDayTime } from '../../../lib/format.ts'
import { useRecordNews, useResync } from '../../../lib/live.ts'
import { useRefetchQuery } from '../../../lib/query-cache.ts'
import { useTexts } from '../../../lib/texts.ts'
import { formatPhoneNumber } from '../../../parts/phone-number.ts'
import { CountBadge } from '../../../ui/count-badge.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useSendFailureText } from '../shared/use-send-failure-text.ts'
import type { PeopleSelection } from './people-selection.ts'
import classes from './report.module.css'
import { texts } from './texts.ts'

/** The people behind a selected count. */
export function CampaignPeople({ campaign, selection }: { campaign: Campaign; selection: PeopleSelection }) {
  const words = useTexts(texts)
  const [typed, setTyped] = useState('')
  const [searchParam] = useDebouncedValue(typed, 300)
  const key = ['campaign-people', campaign.id, selection, searchParam]
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      callApi(
        campaignsApi.people,
        { params: { id: campaign.id }, query: { ...selection, searchParam, pageNumber: pageParam } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (page, _all, last) => (page.hasMore ? last + 1 : undefined),
    placeholderData: keepPreviousData,
  })
  useLivePeople(campaign.id, useRefetchQuery(key), query.data?.pages.length ?? 1)
  const people = query.data?.pages.flatMap((page) => page.people) ?? []
  const count = query.data?.pages[0]?.count ?? 0
  const title = words.groups[selection.group]
  return (
    <section className={classes.card} aria-label={title} aria-busy={query.isFetching}>
      <header className={classes.head}>
        <h2>{title}</h2>
        <CountBadge value={count} kind="accent" />
        <TextInput
          className={classes.search ?? ''}
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<IconSearch size={16} stroke={1.75} />}
          value={typed}
          maxLength={200}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </header>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && people.length === 0 && <p className={classes.quiet}>{words.nobody}</p>}
      {people.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.scroll} tabIndex={0} aria-label={title}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{words.contact}</th>
                <th scope="col">{words.text}</th>
                <th scope="col">{words.became}</th>
                <th scope="col">{words.at}</th>
              </tr>
            </thead>
            <tbody>
              {people.map((person) => (
                <PersonRow key={person.id} person={person} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {query.hasNextPage && (
        <Button
          variant="subtle"
          color="gray"
          fullWidth
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {words.more}
        </Button>
      )}
    </section>
  )
}

/**
 * How often people are reloaded, multiplied by the number of loaded pages: with many pages, reloads are less frequent.
 */
const rereadMsPerPage = 2000
/** The last receipts have arrived this long after the end of the campaign (spec, section 4). */
const lastAcksDelayMs = 5000

/**
 * Reloads the loaded pages of people in place when the campaign's numbers change, because events do not contain people.
 */
function useLivePeople(id: number, read: () => unknown, pages: number): void {
  const soon = useThrottledCallback(read, rereadMsPerPage * pages)
  const afterEnd = useDebouncedCallback(read, lastAcksDelayMs)
  useRecordNews(campaignsApi.topic, (news) => {
    if (news.action === 'delete' || news.row.id !== id) return
    soon()
    if (news.row.status === 'FINALIZADA') afterEnd()
  })
  useResync(soon)
}

/** The latest event of a person. */
const latestEvent = ({ stoppedAt, answeredAt, readAt, deliveredAt, sentAt }: CampaignPerson) =>
  (
    [
      ['stopped', stoppedAt],
      ['answered', answeredAt],
      ['read', readAt],
      ['delivered', deliveredAt],
      ['sent', sentAt],
    ] as const
  ).find(([, at]) => at !== null)

function PersonRow({ person }: { person: CampaignPerson }) {
  const words = useTexts(texts)
  const failure = useSendFailureText()
  const skipped: Record<string, string> = words.skipped
  const last = latestEvent(person)
  const reasonText =
    person.reason === null ? '' : person.state === 'skipped' ? (skipped[person.reason] ?? '') : failure(person.reason)
  return (
    <tr>
      <td>
        <b>{person.name}</b>
        <small>{formatPhoneNumber(person.number)}</small>
      </td>
      <td title={person.body}>{person.variant ?? '—'}</td>
      <td>{reasonText || (last ? words.happened[last[0]] : words.personStates[person.state])}</td>
      <td>{formatDayTime(last?.[1])}</td>
    </tr>
  )
}
