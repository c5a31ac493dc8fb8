import { Button, Skeleton } from '@mantine/core'
import { type AuditAction, type AuditChange, auditApi } from '@recado/contract/api-access/audit'
import type { EndpointInput } from '@recado/contract/endpoint'
import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { formatDayTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import classes from './audit-list.module.css'
import { auditTexts } from './texts.ts'

export type AuditQuery = NonNullable<EndpointInput<typeof auditApi.export>['query']>

/** The old and new value of a field, as text where available. */
function Change({ field, from, to }: AuditChange) {
  const words = useTexts(auditTexts)
  const named = (words.fields as Record<string, string>)[field]
  const said = (value: string) => (words.values as Record<string, string>)[value] ?? (value || words.empty)
  return (
    <li>
      {named && <span className={classes.field}>{named}: </span>}
      {from || to ? (
        <>
          <s>{said(from)}</s> → <span>{said(to)}</span>
        </>
      ) : (
        <span>{words.changed}</span>
      )}
    </li>
  )
}

type Props = { query: AuditQuery; emptyText?: string; settingName?: (key: string) => string }

/** Audit entries, newest first. */
export function AuditList({ query: asked, emptyText, settingName = (key) => key }: Props) {
  const words = useTexts(auditTexts)
  const query = useInfiniteQuery({
    queryKey: ['audit', asked],
    queryFn: ({ pageParam, signal }) =>
      callApi(auditApi.list, { query: { ...asked, ...(pageParam && { before: pageParam }) } }, { signal }),
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
      {query.data && entries.length === 0 && <p className={classes.none}>{emptyText ?? words.none}</p>}
      <ul className={classes.list}>
        {entries.map(({ id, deed: action, name, by, key, changes, at }) => (
          <li key={id}>
            <PersonAvatar id={by.id} name={by.name || words.somebody} size={28} />
            <span>
              <b>{by.name || words.somebody}</b> {key && <>({words.withKey(key.name)}) </>}
              {words.deeds[action as AuditAction]?.(action === 'setting.changed' ? settingName(name) : name) ?? action}
              {changes.length > 0 && (
                <ul className={classes.changes}>
                  {changes.map((change) => (
                    <Change key={change.field} {...change} />
                  ))}
                </ul>
              )}
              <small>{formatDayTime(at)}</small>
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
