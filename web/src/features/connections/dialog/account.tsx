import { Button } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { useEffect, useEffectEvent } from 'react'
import { dayTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useLineNext, useLineReason } from '../../../parts/line/line-status.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { dialogTexts } from './dialog-texts.ts'
import classes from './line-dialog.module.css'
import { Webhook } from './webhook.tsx'

type Props = { line: Connection; onDone: () => void; onEdit: () => void; onLook: () => void }

/** Meta calls when it verifies the address, and then with every message: nobody tells it, so it is looked at. */
const lookEvery = 4000

/** A line on the official API is not scanned: Meta has to be told where to send what customers write. */
export function Account({ line, onDone, onEdit, onLook }: Props) {
  const words = useTexts(dialogTexts)
  const look = useEffectEvent(onLook)
  useEffect(() => {
    const timer = setInterval(() => look(), lookEvery)
    return () => clearInterval(timer)
  }, [])
  const calledAt = line.cloud?.calledAt
  const why = useLineReason()(line)
  const next = useLineNext()(line)
  return (
    <div className={classes.account}>
      {why && (
        <Notice kind={line.status === 'DISCONNECTED' ? 'danger' : 'warn'}>
          <b>{why}</b> {next}
        </Notice>
      )}
      {line.status === 'CONNECTED' && (
        <Notice kind="info">{calledAt ? words.cloudCalled(dayTime(calledAt)) : words.cloudConnected}</Notice>
      )}
      {line.cloud && <Webhook account={line.cloud} />}
      <div className={classes.deeds}>
        <Button variant="default" onClick={onEdit}>
          {words.edit}
        </Button>
        <Button onClick={onDone}>{words.done}</Button>
      </div>
    </div>
  )
}
