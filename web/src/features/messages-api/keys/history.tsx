import { Button, Skeleton } from '@mantine/core'
import { type AuditDeed, auditApi } from '@recado/contract/doors/audit'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { dayTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { useOpening } from '../../../ui/use-opening.ts'
import classes from '../keys-tab.module.css'
import { keyTexts } from './texts.ts'

/** Who made and revoked what. */
export function History({ onClose }: { onClose: () => void }) {
  const words = useTexts(keyTexts)
  const opened = useOpening(true)
  const query = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam, signal }) =>
      call(auditApi.list, { query: pageParam ? { before: pageParam } : {} }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Sheet opened={opened} onClose={onClose} title={words.history} size={480}>
      {query.isPending && <Skeleton height={120} m={16} width="auto" />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && entries.length === 0 && <p className={classes.none}>{words.noHistory}</p>}
      <ul className={classes.history}>
        {entries.map(({ id, deed, name, by, at }) => (
          <li key={id}>
            <PersonAvatar id={by.id} name={by.name} size={28} />
            <span>
              <b>{by.name}</b> {words.deeds[deed as AuditDeed]?.(name) ?? deed}
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
    </Sheet>
  )
}
