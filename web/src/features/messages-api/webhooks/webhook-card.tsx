import { ActionIcon, Button, Menu } from '@mantine/core'
import { type Webhook, webhookToolsApi } from '@recado/contract/api-access/webhooks'
import {
  IconChevronDown,
  IconCircleCheck,
  IconClock,
  IconDots,
  IconHistory,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPower,
  IconRefresh,
  IconTrash,
  IconWebhook,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatDayTime, formatNumber, formatTime } from '../../../lib/format.ts'
import { currentTexts, useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { callFailureTexts, describeCallFailure } from '../../../parts/integrations/call-failures.ts'
import { Chip } from '../../../ui/chip.tsx'
import { openConfirm } from '../../../ui/confirm.tsx'
import { StatusChip } from '../../../ui/status-chip.tsx'
import { DeliveryLog, deliveryLogKey } from './delivery-log.tsx'
import { webhookTexts } from './texts.ts'
import { getWebhookState, isSuccessStatus, shortenEvents, webhookName } from './webhook-summary.ts'
import classes from './webhooks.module.css'

type Props = {
  webhook: Webhook
  isOpen: boolean
  onToggle: () => void
  /** The selected delivery. */
  delivery: string | null
  onSelectDelivery: (id: string | null) => void
  onEdit: () => void
  onRemove: () => void
  onReplay: () => void
  onNewSecret: (secret: string) => void
}

export function WebhookCard(props: Props) {
  const { webhook, isOpen, onToggle, delivery, onSelectDelivery } = props
  const words = useTexts(webhookTexts)
  const test = useTestWebhook(webhook, onSelectDelivery)
  const state = getWebhookState(webhook)
  return (
    <article className={classes.card} aria-label={webhookName(webhook)}>
      <header className={classes.cardHead}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          onClick={onToggle}
          title={words.showLog}
        >
          {state === 'rests' ? (
            <IconPlayerPause size={20} stroke={1.75} className={classes.warnIcon ?? ''} aria-hidden="true" />
          ) : (
            <IconWebhook size={20} stroke={1.75} className={classes.icon ?? ''} aria-hidden="true" />
          )}
          <span className={classes.words}>
            <b>{webhook.name || webhook.url}</b>
            {webhook.name && <small>{webhook.url}</small>}
            {state === 'rests' ? (
              <span className={classes.rests}>{describePause(webhook, words)}</span>
            ) : (
              <span className={classes.events}>
                {shortenEvents(webhook.events).map((event) => (
                  <Chip key={event}>
                    <code>{event}</code>
                  </Chip>
                ))}
              </span>
            )}
          </span>
          <IconChevronDown size={16} stroke={2} className={classes.chevron ?? ''} aria-hidden="true" />
        </button>
        <DeliveriesPerHourBars calls={webhook.calls} failed={webhook.failed} />
        {state === 'rests' ? (
          <Button
            variant="light"
            loading={test.busy}
            leftSection={<IconRefresh size={16} stroke={1.75} />}
            onClick={() => void test.run()}
          >
            {words.testAndGo}
          </Button>
        ) : (
          <WebhookStateChip webhook={webhook} />
        )}
        <WebhookActions {...props} onTest={() => void test.run()} />
      </header>
      {isOpen && <DeliveryLog webhook={webhook} selectedId={delivery} onSelect={onSelectDelivery} />}
    </article>
  )
}

function describePause({ restsSince, waiting, ...webhook }: Webhook, words: (typeof webhookTexts)['es']): string {
  const reason = describeCallFailure(currentTexts(callFailureTexts), webhook.reason)
  const since = new Date(restsSince ?? '')
  const isToday = since.toDateString() === new Date().toDateString()
  const rests = isToday ? words.rests(formatTime(since), reason) : words.restsSinceDay(formatDayTime(since), reason)
  return waiting > 0 ? `${rests} ${words.wait(waiting, formatNumber(waiting))}` : rests
}

function WebhookStateChip({ webhook }: { webhook: Webhook }) {
  const words = useTexts(webhookTexts)
  const state = getWebhookState(webhook)
  if (state === 'off')
    return (
      <StatusChip kind="off" icon={<IconPower size={14} stroke={2} aria-hidden="true" />}>
        {words.off}
      </StatusChip>
    )
  if (state === 'waiting')
    return (
      <StatusChip kind="accent" icon={<IconClock size={14} stroke={2} aria-hidden="true" />}>
        {words.waiting(formatNumber(webhook.waiting))}
      </StatusChip>
    )
  return (
    <StatusChip kind="ok" icon={<IconCircleCheck size={14} stroke={2} aria-hidden="true" />}>
      {words.ok}
    </StatusChip>
  )
}

const barHeight = 22
/** Deliveries per hour, oldest left. Hours with failures are red; hours without deliveries are a grey tick. */
function DeliveriesPerHourBars({ calls, failed }: Pick<Webhook, 'calls' | 'failed'>) {
  const words = useTexts(webhookTexts)
  const maxCalls = Math.max(1, ...calls)
  const sum = (all: number[]) => formatNumber(all.reduce((whole, n) => whole + n, 0))
  return (
    <span className={classes.bars} role="img" aria-label={words.lastDay(sum(calls), sum(failed))}>
      {calls.map((n, hour) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: hours stand in their order
          key={hour}
          data-kind={n === 0 ? 'none' : (failed[hour] ?? 0) > 0 ? 'failed' : undefined}
          style={{ height: n === 0 ? 2 : Math.max(3, Math.round((n / maxCalls) * barHeight)) }}
        />
      ))}
    </span>
  )
}

/** Sends a test event now; its delivery is shown in the log. */
function useTestWebhook(webhook: Webhook, onSelectDelivery: (id: string) => void) {
  const words = useTexts(webhookTexts)
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const { id, tries } = await callApi(webhookToolsApi.test, { params: { id: webhook.id } })
      const last = tries.at(-1)
      if (last && isSuccessStatus(last.status)) toast.ok(words.testedWell, webhookName(webhook))
      else
        toast.warn(
          words.testedBadly,
          describeCallFailure(currentTexts(callFailureTexts), last?.error ?? '') || String(last?.status ?? ''),
        )
      await client.invalidateQueries({ queryKey: deliveryLogKey(webhook.id) })
      onSelectDelivery(id)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}

function WebhookActions({ webhook, onEdit, onRemove, onReplay, onNewSecret, onTest }: Props & { onTest: () => void }) {
  const words = useTexts(webhookTexts)
  const renew = async () => {
    const question = {
      title: words.secretAsk(webhookName(webhook)),
      consequence: words.secretLine,
      verb: words.secretVerb,
    }
    if (!(await openConfirm({ ...question, kind: 'plain' }))) return
    try {
      onNewSecret((await callApi(webhookToolsApi.secret, { params: { id: webhook.id } })).secret)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={words.actions(webhookName(webhook))} className={classes.dots ?? ''}>
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlayerPlay size={16} stroke={1.75} />} onClick={onTest}>
          {words.test}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={onEdit}>
          {words.edit}
        </Menu.Item>
        <Menu.Item leftSection={<IconHistory size={16} stroke={1.75} />} onClick={onReplay}>
          {words.replay}
        </Menu.Item>
        <Menu.Item leftSection={<IconKey size={16} stroke={1.75} />} onClick={() => void renew()}>
          {words.secret}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={16} stroke={1.75} />} onClick={onRemove}>
          {words.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
