import { Loader } from '@mantine/core'
import { type Connection, connectionsApi } from '@recado/contract/connections'
import type { Endpoint, Given } from '@recado/contract/kit'
import { IconPlugConnected, IconRefresh, IconScan } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { useLineReason } from '../../parts/line-status.tsx'
import { lineTexts } from '../../parts/line-texts.ts'
import { QrClock } from '../../parts/qr-clock.tsx'
import { QrCode } from '../../parts/qr-code.tsx'
import classes from './handset.module.css'
import { scanWhenShown } from './scan.ts'
import { texts } from './texts.ts'

/** What the phone shows while it is not linked: the code to scan, or what is in the way. */
export function LinkScreen({ line }: { line: Connection }) {
  const words = useTexts(texts)
  const common = useTexts(lineTexts)
  const { busy, run } = useOnce()
  if (line.qrcode) {
    return (
      <div className={classes.link}>
        <h3>{words.scanTitle}</h3>
        <p>{words.scanLine(line.name)}</p>
        <div className={classes.code}>
          <QrCode text={line.qrcode} label={common.qr} />
          <QrClock line={line} />
        </div>
        <button
          type="button"
          className={classes.scan}
          disabled={busy}
          onClick={() => run(() => scanWhenShown(line.id))}
        >
          <IconScan size={18} stroke={1.75} aria-hidden="true" />
          {words.scan}
        </button>
      </div>
    )
  }
  if (line.status === 'DISCONNECTED') return <Down line={line} />
  return (
    <div className={classes.link} role="status">
      <Loader size={24} />
      <p>{words.waitingLine}</p>
    </div>
  )
}

/** A person disconnected it, or the code ran out: the ways back. */
function Down({ line }: { line: Connection }) {
  const words = useTexts(texts)
  const reason = useLineReason()(line)
  const mayAct = useCan()('connections-page:actionButtons')
  const { busy, run } = useOnce()
  const ask = <E extends Endpoint>(endpoint: E) =>
    run(() => call(endpoint, { params: { whatsappId: line.id } } as Given<E>))
  // A line that was only switched off still knows its phone; the others need a new code.
  const linked = line.reason === 'off'
  return (
    <div className={classes.link}>
      <h3>{words.lineDown}</h3>
      {reason && <p>{reason}</p>}
      {mayAct && line.reason !== 'network' && (
        <button
          type="button"
          className={classes.scan}
          disabled={busy}
          onClick={() => ask(linked ? connectionsApi.restart : connectionsApi.renew)}
        >
          {linked ? <IconPlugConnected size={18} stroke={1.75} /> : <IconRefresh size={18} stroke={1.75} />}
          {linked ? words.connect : words.newCode}
        </button>
      )}
    </div>
  )
}

/** One press, one call. */
function useOnce() {
  const [busy, setBusy] = useState(false)
  const run = (task: () => Promise<unknown>) => {
    setBusy(true)
    task()
      .catch(toast.error)
      .finally(() => setBusy(false))
  }
  return { busy, run }
}
