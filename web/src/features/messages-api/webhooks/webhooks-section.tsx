import { Button, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type Webhook, webhooksApi } from '@recado/contract/api-access/webhooks'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { confirmDelete } from '../../../records/confirm-delete.ts'
import { useFormSlot } from '../../../records/use-form-slot.ts'
import { recordSourceOf, useRecords } from '../../../records/use-records.ts'
import { CountBadge } from '../../../ui/count-badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { keyTexts } from '../keys/texts.ts'
import tab from '../keys-tab.module.css'
import { DeliveryPane } from './delivery-pane.tsx'
import { webhookTexts } from './texts.ts'
import { WebhookCard } from './webhook-card.tsx'
import { webhookName } from './webhook-summary.ts'
import classes from './webhooks.module.css'

const WebhookForm = lazy(() => import('./webhook-form.tsx').then((module) => ({ default: module.WebhookForm })))
const DeliverySheet = lazy(() => import('./delivery-sheet.tsx').then((module) => ({ default: module.DeliverySheet })))
const ReplayDialog = lazy(() => import('./replay-dialog.tsx').then((module) => ({ default: module.ReplayDialog })))
const SecretShownOnce = lazy(() =>
  import('../keys/secret-shown-once.tsx').then((module) => ({ default: module.SecretShownOnce })),
)

const source = recordSourceOf(webhooksApi)

/** One card per webhook: its state, its log on the left, one delivery on the right. */
export function WebhooksSection() {
  const words = useTexts(webhookTexts)
  const { once } = useTexts(keyTexts)
  const hooks = useRecords(source)
  const form = useFormSlot<Webhook>()
  const [secret, setSecret] = useState('')
  const [replayed, setReplayed] = useState<Webhook | null>(null)
  /** The webhook with the open log. Until the user chooses, it is undefined and the first webhook is open. */
  const [chosen, setChosen] = useState<number | null>()
  const [delivery, setDelivery] = useState<{ hook: number; id: string } | null>(null)
  const open = chosen === undefined ? hooks.rows[0]?.id : chosen
  const wide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })

  const remove = async (row: Webhook) => {
    const gone = await confirmDelete({
      words: words.words,
      name: webhookName(row),
      consequence: words.consequence,
      remove: () => callApi(webhooksApi.remove, { params: { id: row.id } }),
    })
    if (gone) hooks.apply({ action: 'delete', id: row.id })
    return gone
  }
  const create = (
    <Button leftSection={<IconPlus size={17} stroke={2} />} onClick={() => form.open(null)}>
      {words.words.create}
    </Button>
  )
  const nothing = hooks.loadState !== 'first' && hooks.rows.length === 0
  const opened = delivery && hooks.rows.some(({ id }) => id === delivery.hook) ? delivery : null
  const { row } = form.slot
  return (
    <section aria-label={words.words.title}>
      <header className={tab.head}>
        <h2>
          {words.words.title} {hooks.loadState !== 'first' && !hooks.error && <CountBadge value={hooks.count} />}
        </h2>
        {!nothing && create}
      </header>
      {hooks.loadState === 'first' && <Skeleton height={110} mx={24} width="auto" radius={12} />}
      {nothing &&
        (hooks.error ? (
          <ErrorState error={hooks.error} onRetry={hooks.retry} />
        ) : (
          <EmptyState
            icon={<IconWebhook size={26} stroke={1.6} />}
            title={words.words.empty}
            line={words.words.emptyLine}
          >
            {create}
          </EmptyState>
        ))}
      {hooks.rows.length > 0 && (
        <div className={classes.frame}>
          <div className={classes.cards}>
            {hooks.rows.map((hook) => (
              <WebhookCard
                key={hook.id}
                webhook={hook}
                isOpen={hook.id === open}
                onToggle={() => setChosen(hook.id === open ? null : hook.id)}
                delivery={opened?.hook === hook.id ? opened.id : null}
                onSelectDelivery={(id) => setDelivery(id === null ? null : { hook: hook.id, id })}
                onEdit={() => form.open(hook)}
                onRemove={() => void remove(hook)}
                onReplay={() => setReplayed(hook)}
                onNewSecret={setSecret}
              />
            ))}
            {hooks.hasMore && (
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                m={8}
                loading={hooks.loadState === 'more'}
                onClick={() => hooks.loadMore()}
              >
                {words.more}
              </Button>
            )}
          </div>
          {wide && (
            <aside className={classes.aside}>
              {opened ? (
                <DeliveryPane key={opened.id} hook={opened.hook} id={opened.id} />
              ) : (
                <p className={classes.choose}>{words.choose}</p>
              )}
            </aside>
          )}
        </div>
      )}
      <Suspense fallback={null}>
        {!wide && opened && <DeliverySheet key={opened.id} {...opened} onClose={() => setDelivery(null)} />}
        {form.used > 0 && (
          <WebhookForm
            key={form.used}
            {...form.slot}
            onClose={form.close}
            onSaved={(saved, isNew) => {
              const { secret: made = '', ...stored } = saved as Webhook & { secret?: string }
              hooks.apply({ action: isNew ? 'create' : 'update', row: stored })
              if (made) setSecret(made)
              if (isNew) setChosen(saved.id)
            }}
            onRemove={row ? () => remove(row) : undefined}
          />
        )}
        {secret && (
          <SecretShownOnce
            title={once.secretTitle}
            line={once.secretLine}
            secret={secret}
            closeLabel={once.secretStored}
            onClose={() => setSecret('')}
          />
        )}
        {replayed && <ReplayDialog webhook={replayed} onClose={() => setReplayed(null)} />}
      </Suspense>
    </section>
  )
}
