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
  const { webhook: hook, isOpen: open, onToggle, delivery, onSelectDelivery: onDelivery } = props
  const words = useTexts(webhookTexts)
  const test = useTestWebhook(hook, onDelivery)
  const state = getWebhookState(hook)
  return (
    <article className={classes.card} aria-label={webhookName(hook)}>
      <header className={classes.cardHead}>
        <button type="button" className={classes.toggle} aria-expanded={open} onClick={onToggle} title={words.showLog}>
          {state === 'rests' ? (
            <IconPlayerPause size={20} stroke={1.75} className={classes.warnIcon ?? ''} aria-hidden="true" />
          ) : (
            <IconWebhook size={20} stroke={1.75} className={classes.icon ?? ''} aria-hidden="true" />
          )}
          <span className={classes.words}>
            <b>{hook.name || hook.url}</b>
            {hook.name && <small>{hook.url}</small>}
            {state === 'rests' ? (
              <span className={classes.rests}>{describePause(hook, words)}</span>
            ) : (
              <span className={classes.events}>
                {shortenEvents(hook.events).map((event) => (
                  <Chip key={event}>
                    <code>{event}</code>
                  </Chip>
                ))}
              </span>
            )}
          </span>
          <IconChevronDown size={16} stroke={2} className={classes.chevron ?? ''} aria-hidden="true" />
        </button>
        <DeliveriesPerHourBars calls={hook.calls} failed={hook.failed} />
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
          <WebhookStateChip webhook={hook} />
        )}
        <WebhookActions {...props} onTest={() => void test.run()} />
      </header>
      {open && <DeliveryLog webhook={hook} selectedId={delivery} onSelect={onDelivery} />}
    </article>
  )
}

function describePause({ restsSince, waiting, ...hook }: Webhook, words: (typeof webhookTexts)['es']): string {
  const reason = describeCallFailure(currentTexts(callFailureTexts), hook.reason)
  const since = new Date(restsSince ?? '')
  const isToday = since.toDateString() === new Date().toDateString()
  const rests = isToday ? words.rests(formatTime(since), reason) : words.restsSinceDay(formatDayTime(since), reason)
  return waiting > 0 ? `${rests} ${words.wait(waiting, formatNumber(waiting))}` : rests
}

function WebhookStateChip({ webhook: hook }: { webhook: Webhook }) {
  const words = useTexts(webhookTexts)
  const state = getWebhookState(hook)
  if (state === 'off')
    return (
      <StatusChip kind="off" icon={<IconPower size={14} stroke={2} aria-hidden="true" />}>
        {words.off}
      </StatusChip>
    )
  if (state === 'waiting')
    return (
      <StatusChip kind="accent" icon={<IconClock size={14} stroke={2} aria-hidden="true" />}>
        {words.waiting(formatNumber(hook.waiting))}
      </StatusChip>
    )
  return (
    <StatusChip kind="ok" icon={<IconCircleCheck size={14} stroke={2} aria-hidden="true" />}>
      {words.ok}
    </StatusChip>
  )
}

const barHeight = 22
/** Deliveries per hour, oldest left; hours with failures in red, hours without any as a grey tick. */
function DeliveriesPerHourBars({ calls, failed }: Pick<Webhook, 'calls' | 'failed'>) {
  const words = useTexts(webhookTexts)
  const most = Math.max(1, ...calls)
  const sum = (all: number[]) => formatNumber(all.reduce((whole, n) => whole + n, 0))
  return (
    <span className={classes.bars} role="img" aria-label={words.lastDay(sum(calls), sum(failed))}>
      {calls.map((n, hour) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: hours stand in their order
          key={hour}
          data-kind={n === 0 ? 'none' : (failed[hour] ?? 0) > 0 ? 'failed' : undefined}
          style={{ height: n === 0 ? 2 : Math.max(3, Math.round((n / most) * barHeight)) }}
        />
      ))}
    </span>
  )
}

/** Sends a test event now; its delivery is shown in the log. */
function useTestWebhook(hook: Webhook, onDelivery: (id: string) => void) {
  const words = useTexts(webhookTexts)
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const { id, tries } = await callApi(webhookToolsApi.test, { params: { id: hook.id } })
      const last = tries.at(-1)
      if (last && isSuccessStatus(last.status)) toast.ok(words.testedWell, webhookName(hook))
      else
        toast.warn(
          words.testedBadly,
          describeCallFailure(currentTexts(callFailureTexts), last?.error ?? '') || String(last?.status ?? ''),
        )
      await client.invalidateQueries({ queryKey: deliveryLogKey(hook.id) })
      onDelivery(id)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}

function WebhookActions({
  webhook: hook,
  onEdit,
  onRemove,
  onReplay,
  onNewSecret: onSecret,
  onTest,
}: Props & { onTest: () => void }) {
  const words = useTexts(webhookTexts)
  const renew = async () => {
    const question = {
      title: words.secretAsk(webhookName(hook)),
      consequence: words.secretLine,
      verb: words.secretVerb,
    }
    if (!(await openConfirm({ ...question, kind: 'plain' }))) return
    try {
      onSecret((await callApi(webhookToolsApi.secret, { params: { id: hook.id } })).secret)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={words.actions(webhookName(hook))} className={classes.dots ?? ''}>
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
