import { Button, Skeleton } from '@mantine/core'
import { type ApiKey, apiKeysApi } from '@recado/contract/api-access/api-keys'
import { IconHistory, IconKey, IconPlus } from '@tabler/icons-react'
import { lazy, type RefObject, Suspense, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { RecordCards } from '../../../records/record-cards.tsx'
import { RecordsTable } from '../../../records/records-table.tsx'
import { useFormSlot } from '../../../records/use-form-slot.ts'
import type { RecordList } from '../../../records/use-records.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { CountBadge } from '../../../ui/count-badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { isKeyActive } from '../api-credentials.ts'
import classes from '../keys-tab.module.css'
import type { CreatedKey } from './key-source.ts'
import { keyTexts } from './texts.ts'
import { useKeyColumns } from './use-key-columns.tsx'

const KeyForm = lazy(() => import('./key-form.tsx').then((module) => ({ default: module.KeyForm })))
const SecretShownOnce = lazy(() =>
  import('./secret-shown-once.tsx').then((module) => ({ default: module.SecretShownOnce })),
)
const KeyHistory = lazy(() => import('./key-history.tsx').then((module) => ({ default: module.KeyHistory })))

type Props = {
  keys: RecordList<ApiKey>
  scrollRef: RefObject<HTMLDivElement | null>
  onCreated: (createdKey: CreatedKey) => void
}

export function KeysSection({ keys, scrollRef, onCreated }: Props) {
  const words = useTexts(keyTexts)
  const [showsAll, setShowsAll] = useState(false)
  const [createdKey, setCreatedKey] = useState<CreatedKey | null>(null)
  const [past, setPast] = useState(false)
  const form = useFormSlot<ApiKey>()
  const now = Date.now()
  const open = keys.rows.filter((key) => isKeyActive(key, now))
  const closed = keys.rows.length - open.length
  const rows = showsAll ? keys.rows : open
  const create = (
    <Button variant="default" leftSection={<IconPlus size={16} stroke={2} />} onClick={() => form.open(null)}>
      {words.create}
    </Button>
  )
  const nothing = keys.loadState !== 'first' && keys.rows.length === 0
  return (
    <section aria-label={words.title}>
      <header className={classes.head}>
        <h2>
          {words.title} {keys.loadState !== 'first' && <CountBadge value={open.length} />}
        </h2>
        {!nothing && (
          <>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconHistory size={16} stroke={1.75} />}
              onClick={() => setPast(true)}
            >
              {words.history}
            </Button>
            {create}
          </>
        )}
      </header>
      {keys.loadState === 'first' && <Skeleton height={96} mx={24} mb={16} width="auto" />}
      {nothing &&
        (keys.error ? (
          <ErrorState error={keys.error} onRetry={keys.retry} />
        ) : (
          <EmptyState icon={<IconKey size={26} stroke={1.6} />} title={words.empty} line={words.emptyLine}>
            {create}
          </EmptyState>
        ))}
      {rows.length > 0 && <KeyRows {...{ rows, scrollRef: scrollRef, onNews: keys.apply }} />}
      {!nothing && keys.loadState !== 'first' && (
        <footer className={classes.foot}>
          {rows.length === 0 && <span>{words.noneOpen}</span>}
          {closed > 0 && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              aria-expanded={showsAll}
              onClick={() => setShowsAll(!showsAll)}
            >
              {showsAll ? words.hideRevoked : words.showRevoked(closed)}
            </Button>
          )}
          {keys.hasMore && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              loading={keys.loadState === 'more'}
              onClick={() => keys.loadMore()}
            >
              {words.more}
            </Button>
          )}
        </footer>
      )}
      <Suspense fallback={null}>
        {form.used > 0 && (
          <KeyForm
            key={form.used}
            opened={form.slot.opened}
            onClose={form.close}
            onCreated={(row) => {
              const { key: _, ...stored } = row
              keys.apply({ action: 'create', row: stored })
              onCreated(row)
              setCreatedKey(row)
            }}
          />
        )}
        {createdKey && (
          <SecretShownOnce
            title={words.once.title(createdKey.name)}
            line={words.once.line}
            secret={createdKey.key}
            closeLabel={words.once.stored}
            onClose={() => setCreatedKey(null)}
          />
        )}
        {past && <KeyHistory onClose={() => setPast(false)} />}
      </Suspense>
    </section>
  )
}

type RowsProps = { rows: ApiKey[]; scrollRef: Props['scrollRef']; onNews: RecordList<ApiKey>['apply'] }
function KeyRows({ rows, scrollRef, onNews }: RowsProps) {
  const words = useTexts(keyTexts)
  const small = useIsPhone()
  const revoke = async ({ id, name }: ApiKey) => {
    const yes = await openConfirm({ title: words.revokeAsk(name), consequence: words.revokeLine, verb: words.revoke })
    if (!yes) return
    try {
      onNews({ action: 'update', row: await callApi(apiKeysApi.revoke, { params: { id } }) })
      toast.ok(words.revokedToast, name)
    } catch (error) {
      toast.error(error)
    }
  }
  const columns = useKeyColumns((key) => void revoke(key))
  const Rows = small ? RecordCards : RecordsTable
  return (
    <div className={classes.table}>
      <Rows
        {...{ rows, columns, scrollRef: scrollRef, label: words.title }}
        offer={({ name }) => ({ name, edit: null, remove: null, more: [] })}
      />
    </div>
  )
}
