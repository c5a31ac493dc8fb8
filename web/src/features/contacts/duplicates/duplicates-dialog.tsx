import { Button, Modal, Skeleton } from '@mantine/core'
import { contactDuplicatesApi, type DuplicatePair } from '@recado/contract/contact-duplicates/contact-duplicates'
import { IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { duplicatesKey } from '../../../parts/join-contacts/duplicates-key.ts'
import { JoinDialog } from '../../../parts/join-contacts/join-dialog.tsx'
import { joinTexts } from '../../../parts/join-contacts/texts.ts'
import { formatPhoneNumber } from '../../../parts/phone-number.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import classes from '../deleted/deleted.module.css'
import { duplicatesTexts } from './texts.ts'

/** Pairs of contacts that may be one person, the newest first, and a way to compare each. */
export function DuplicatesDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useTexts(duplicatesTexts)
  const sheet = useIsPhone()
  const [compared, setCompared] = useState<{ pair: DuplicatePair; opened: boolean; used: number } | null>(null)
  const query = useInfiniteQuery({
    queryKey: [...duplicatesKey, 'all'],
    queryFn: ({ pageParam, signal }) =>
      callApi(contactDuplicatesApi.list, { query: { before: pageParam } }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
    enabled: opened,
    staleTime: 0,
    retry: false,
  })
  const pairs = query.data?.pages.flatMap((page) => page.pairs) ?? []
  const isEmpty = query.data !== undefined && pairs.length === 0
  return (
    <>
      <Modal
        opened={opened}
        onClose={onClose}
        size={560}
        fullScreen={sheet}
        title={words.title}
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <div className={classes.body}>
          <p className={classes.line}>{words.line}</p>
          {query.isPending && (
            <div className={classes.bones} role="status" aria-label={words.loading}>
              {[0, 1, 2].map((i) => (
                <Skeleton key={i} height={44} />
              ))}
            </div>
          )}
          {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
          {isEmpty && (
            <EmptyState
              icon={<IconUsers size={26} stroke={1.6} />}
              title={query.hasNextPage ? words.noneYet : words.empty}
              line={query.hasNextPage ? '' : words.emptyLine}
            />
          )}
          <ul className={classes.list} aria-label={words.title}>
            {pairs.map((pair) => (
              <PairRow
                key={`${pair.kept.id} ${pair.other.id}`}
                pair={pair}
                onCompare={() => setCompared((before) => ({ pair, opened: true, used: (before?.used ?? 0) + 1 }))}
              />
            ))}
          </ul>
          {query.hasNextPage && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {words.more}
            </Button>
          )}
        </div>
      </Modal>
      {compared && (
        <JoinDialog
          key={compared.used}
          opened={compared.opened}
          onClose={() => setCompared({ ...compared, opened: false })}
          contactId={compared.pair.kept.id}
          otherId={compared.pair.other.id}
        />
      )}
    </>
  )
}

function PairRow({ pair: { kept, other, matches }, onCompare }: { pair: DuplicatePair; onCompare: () => void }) {
  const words = useTexts(duplicatesTexts)
  const shared = useTexts(joinTexts)
  return (
    <li>
      <span className={classes.who}>
        {[kept, other].map(({ id, name, number }) => (
          <span key={id}>
            <b>{name}</b> {number && formatPhoneNumber(number)}
          </span>
        ))}
        <small>
          {matches
            .map(({ kind, value, field }) => `${shared.evidence(kind, field)}${kind === 'name' ? '' : ` (${value})`}`)
            .join(' · ')}
        </small>
      </span>
      <span className={classes.deeds}>
        <Button size="xs" variant="default" aria-label={words.compareNamed(kept.name, other.name)} onClick={onCompare}>
          {words.compare}
        </Button>
      </span>
    </li>
  )
}
