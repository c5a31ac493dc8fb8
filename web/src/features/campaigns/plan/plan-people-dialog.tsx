import { Button } from '@mantine/core'
import { type CampaignPlanGroup, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { formatPhoneNumber } from '../../../parts/phone-number.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import classes from './campaign-plan-view.module.css'
import { texts } from './texts.ts'
import type { StartCampaign } from './use-start-campaign.ts'

type Props = { group: CampaignPlanGroup; title: string; planQuery: StartCampaign['planQuery']; onClose: () => void }

/** The people behind a number of the plan, in sending order. */
export function PlanPeopleDialog({ group, title, planQuery, onClose }: Props) {
  const words = useTexts(texts)
  const query = useInfiniteQuery({
    queryKey: ['campaign-plan-people', planQuery, group],
    queryFn: ({ pageParam, signal }) =>
      callApi(campaignsApi.planPeople, { body: { ...planQuery, reason: group, pageNumber: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (page, _all, last) => (page.hasMore ? last + 1 : undefined),
    gcTime: 0,
    retry: false,
  })
  const people = query.data?.pages.flatMap((page) => page.people) ?? []
  const count = query.data?.pages[0]?.count
  return (
    <Sheet
      opened
      onClose={onClose}
      size={440}
      title={count === undefined ? title : `${title} · ${formatNumber(count)}`}
    >
      <div className={classes.people} aria-busy={query.isFetching}>
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && <p className={classes.quiet}>{words.counting}</p>}
        {query.isSuccess && people.length === 0 && <p className={classes.quiet}>{words.noPeople}</p>}
        <ol>
          {people.map((person, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one who is there twice is there twice
            <li key={i}>
              <b>{person.name || formatPhoneNumber(person.number)}</b>
              <small>{formatPhoneNumber(person.number)}</small>
            </li>
          ))}
        </ol>
        {query.hasNextPage && (
          <Button
            variant="subtle"
            color="gray"
            fullWidth
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {words.morePeople}
          </Button>
        )}
      </div>
    </Sheet>
  )
}
