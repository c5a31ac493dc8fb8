import { Button } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { useEffect, useEffectEvent } from 'react'
import { formatDayTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useLineNextStep, useLineStatusReason } from '../../../parts/line/line-status-chip.tsx'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { CloudWebhookInfo } from './cloud-webhook-info.tsx'
import classes from './line-dialog.module.css'
import { lineDialogTexts } from './line-dialog-texts.ts'

type Props = { line: Connection; onDone: () => void; onEdit: () => void; onRefetch: () => void }

/**
 * Polling interval. Meta calls once to verify the URL and then for every message, and the server publishes no event for
 * it.
 */
const pollMs = 4000

/** A line on the official API is not linked by scanning a code: its webhook has to be entered at Meta. */
export function CloudAccountStep({ line, onDone, onEdit, onRefetch }: Props) {
  const words = useTexts(lineDialogTexts)
  const look = useEffectEvent(onRefetch)
  useEffect(() => {
    const timer = setInterval(() => look(), pollMs)
    return () => clearInterval(timer)
  }, [])
  const calledAt = line.cloud?.calledAt
  const why = useLineStatusReason()(line)
  const next = useLineNextStep()(line)
  return (
    <div className={classes.account}>
      {why && (
        <InlineNotice kind={line.status === 'DISCONNECTED' ? 'danger' : 'warn'}>
          <b>{why}</b> {next}
        </InlineNotice>
      )}
      {line.status === 'CONNECTED' && (
        <InlineNotice kind="info">
          {calledAt ? words.cloudCalled(formatDayTime(calledAt)) : words.cloudConnected}
        </InlineNotice>
      )}
      {line.cloud && !line.cloud.viaSignup && <CloudWebhookInfo account={line.cloud} />}
      <div className={classes.deeds}>
        <Button variant="default" onClick={onEdit}>
          {words.edit}
        </Button>
        <Button onClick={onDone}>{words.done}</Button>
      </div>
    </div>
  )
}
