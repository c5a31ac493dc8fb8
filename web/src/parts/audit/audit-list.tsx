import { Button, Skeleton } from '@mantine/core'
import { type AuditDeed, auditApi } from '@recado/contract/doors/audit'
import type { Given } from '@recado/contract/kit'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { dayTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import classes from './audit-list.module.css'
import { auditTexts } from './texts.ts'

export type Asked = NonNullable<Given<typeof auditApi.export>['query']>

/** Who did what, newest first. */
export function AuditList({ asked, none }: { asked: Asked; none?: string }) {
  const words = useTexts(auditTexts)
  const query = useInfiniteQuery({
    queryKey: ['audit', asked],
    queryFn: ({ pageParam, signal }) =>
      call(auditApi.list, { query: { ...asked, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <>
      {query.isPending && <Skeleton height={120} m={16} width="auto" />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && entries.length === 0 && <p className={classes.none}>{none ?? words.none}</p>}
      <ul className={classes.list}>
        {entries.map(({ id, deed, name, by, at }) => (
          <li key={id}>
            <PersonAvatar id={by.id} name={by.name || words.somebody} size={28} />
            <span>
              <b>{by.name || words.somebody}</b> {words.deeds[deed as AuditDeed]?.(name) ?? deed}
              <small>{dayTime(at)}</small>
            </span>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          m={12}
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {words.more}
        </Button>
      )}
    </>
  )
}
