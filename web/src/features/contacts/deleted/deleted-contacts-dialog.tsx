import { Button, Modal, Skeleton, TextInput } from '@mantine/core'
import { contactsApi, type DeletedContact, deletedContactDays } from '@recado/contract/contacts'
import { IconArchive } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatDay, formatDayTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { formatPhoneNumber } from '../../../parts/phone-number.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import classes from './deleted.module.css'
import { deletedContactsTexts } from './texts.ts'

const queryKey = ['deleted-contacts'] as const
const displayName = ({ name, number }: DeletedContact): string => name || formatPhoneNumber(number)

/** Deleted contacts that can still be restored, for admins. */
export function DeletedContactsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useTexts(deletedContactsTexts)
  const sheet = useIsPhone()
  const [search, setSearch] = useState('')
  const query = useInfiniteQuery({
    queryKey: [...queryKey, search.trim()],
    queryFn: ({ pageParam, signal }) =>
      callApi(contactsApi.deleted, { query: { searchParam: search.trim(), pageNumber: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.length + 1 : undefined),
    enabled: opened,
    staleTime: 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const deletedContacts = query.data?.pages.flatMap((page) => page.deleted) ?? []
  const isEmpty = query.data !== undefined && deletedContacts.length === 0
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={560}
      fullScreen={sheet}
      title={words.title}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <div className={classes.body}>
        <p className={classes.line}>{words.line(deletedContactDays)}</p>
        {(search !== '' || !isEmpty) && (
          <TextInput
            type="search"
            aria-label={words.search}
            placeholder={words.search}
            value={search}
            maxLength={200}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
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
            icon={<IconArchive size={26} stroke={1.6} />}
            title={search ? words.none : words.empty}
            line={search ? '' : words.emptyLine}
          />
        )}
        <ul className={classes.list} aria-label={words.title}>
          {deletedContacts.map((one) => (
            <DeletedContactRow key={one.id} contact={one} />
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
  )
}

function DeletedContactRow({ contact: one }: { contact: DeletedContact }) {
  const words = useTexts(deletedContactsTexts)
  const client = useQueryClient()
  const [busy, setBusy] = useState<'restore' | 'purge' | null>(null)
  const name = displayName(one)
  const run = async (what: 'restore' | 'purge', work: () => Promise<unknown>, done: string) => {
    setBusy(what)
    try {
      await work()
      toast.ok(done, name)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(null)
      await client.invalidateQueries({ queryKey })
    }
  }
  const params = { id: one.id }
  const restore = () => run('restore', () => callApi(contactsApi.restore, { params }), words.restored)
  const purge = async () => {
    const question = { title: words.purgeAsk(name), consequence: words.purgeLine, verb: words.purge }
    if (await openConfirm(question)) await run('purge', () => callApi(contactsApi.purge, { params }), words.purged)
  }
  const who = one.by.name || words.somebody
  const when = formatDayTime(one.deletedAt)
  return (
    <li>
      <span className={classes.who}>
        <b>{name}</b>
        {one.name && one.number && !one.isGroup && <span>{formatPhoneNumber(one.number)}</span>}
        <small>{one.key ? words.byKey(who, one.key, when) : words.by(who, when)}</small>
        <small>
          {words.counts(one.tickets, one.messages)} · {words.until(formatDay(one.until))}
        </small>
      </span>
      <span className={classes.deeds}>
        <Button
          size="xs"
          variant="default"
          aria-label={words.restoreNamed(name)}
          loading={busy === 'restore'}
          disabled={busy === 'purge'}
          onClick={() => void restore()}
        >
          {words.restore}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="red"
          aria-label={words.purgeNamed(name)}
          loading={busy === 'purge'}
          disabled={busy === 'restore'}
          onClick={() => void purge()}
        >
          {words.purge}
        </Button>
      </span>
    </li>
  )
}
