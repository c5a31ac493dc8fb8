import { Button, Loader } from '@mantine/core'
import { reportSectionsApi } from '@recado/contract/dashboard/report-sections'
import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import cards from '../dashboard.module.css'
import type { DashboardQuery } from '../use-dashboard-query.ts'
import { RatingItem } from './rating-item.tsx'
import classes from './sections.module.css'
import { reportSectionTexts } from './texts.ts'

/** What customers answered when asked why they rated so. */
export function RatingComments({ query, onClose }: { query: DashboardQuery; onClose: () => void }) {
  const words = useTexts(reportSectionTexts)
  const { compare: _, ...filters } = query
  const pages = useInfiniteQuery({
    queryKey: ['dashboard-comments', filters],
    queryFn: ({ pageParam, signal }) =>
      callApi(reportSectionsApi.comments, { query: { ...filters, pageNumber: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.hasMore ? all.length + 1 : undefined),
  })
  const ratings = pages.data?.pages.flatMap((page) => page.ratings) ?? []
  return (
    <Sheet opened onClose={onClose} size={560} title={words.commentsTitle}>
      <div className={cards.behind}>
        {pages.isPending && <Loader />}
        {pages.isError && <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />}
        {pages.data && !ratings.length && <p className={cards.quiet}>{words.noComments}</p>}
        <ul className={classes.comments} hidden={!ratings.length}>
          {ratings.map((rating) => (
            <RatingItem key={rating.id} rating={rating} />
          ))}
        </ul>
        {pages.hasNextPage && (
          <Button
            className={cards.more ?? ''}
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {words.more}
          </Button>
        )}
      </div>
    </Sheet>
  )
}
