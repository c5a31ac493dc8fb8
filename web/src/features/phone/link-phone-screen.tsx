import { Loader } from '@mantine/core'
import { type Connection, connectionsApi } from '@recado/contract/connections'
import { IconPlugConnected, IconScan } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { useLineStatusReason } from '../../parts/line/line-status-chip.tsx'
import { lineTexts } from '../../parts/line/line-texts.ts'
import { QrCode } from '../../parts/line/qr-code.tsx'
import { QrCountdown } from '../../parts/line/qr-countdown.tsx'
import { scanTestLineQr } from '../../parts/line/test-line.ts'
import classes from './handset.module.css'
import { texts } from './texts.ts'

/** The phone's screen while it is not linked: the code to scan, or the problem. */
export function LinkPhoneScreen({ line }: { line: Connection }) {
  const words = useTexts(texts)
  const common = useTexts(lineTexts)
  const { busy, run } = useBusyCall()
  if (line.qrcode) {
    return (
      <div className={classes.link}>
        <h3>{words.scanTitle}</h3>
        <p>{words.scanLine(line.name)}</p>
        <div className={classes.code}>
          <QrCode text={line.qrcode} label={common.qr} />
          <QrCountdown line={line} />
        </div>
        <button
          type="button"
          className={classes.scan}
          disabled={busy}
          onClick={() => run(() => scanTestLineQr(line.id))}
        >
          <IconScan size={18} stroke={1.75} aria-hidden="true" />
          {words.scan}
        </button>
      </div>
    )
  }
  if (line.status === 'DISCONNECTED') return <DisconnectedScreen line={line} />
  return (
    <div className={classes.link} role="status">
      <Loader size={24} />
      <p>{words.waitingLine}</p>
    </div>
  )
}

/**
 * The screen of a line that a user disconnected, that was unlinked on the phone, or whose code expired: it offers to
 * reconnect.
 */
function DisconnectedScreen({ line }: { line: Connection }) {
  const words = useTexts(texts)
  const reason = useLineStatusReason()(line)
  const mayAct = useCan()('connections-page:actionButtons')
  const { busy, run } = useBusyCall()
  const connect = () => run(() => callApi(connectionsApi.restart, { params: { whatsappId: line.id } }))
  return (
    <div className={classes.link}>
      <h3>{words.lineDown}</h3>
      {reason && <p>{reason}</p>}
      {mayAct && (
        <button type="button" className={classes.scan} disabled={busy} onClick={connect}>
          <IconPlugConnected size={18} stroke={1.75} aria-hidden="true" />
          {words.connect}
        </button>
      )}
    </div>
  )
}

/** Runs a call and prevents a second call meanwhile. */
function useBusyCall() {
  const [busy, setBusy] = useState(false)
  const run = (task: () => Promise<unknown>) => {
    setBusy(true)
    task()
      .catch(toast.error)
      .finally(() => setBusy(false))
  }
  return { busy, run }
}
