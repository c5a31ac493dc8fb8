import { Modal } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { LineStatusChip } from '../../../parts/line/line-status-chip.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { CloudAccountStep } from './cloud-account-step.tsx'
import classes from './line-dialog.module.css'
import { lineDialogTexts } from './line-dialog-texts.ts'
import { LineProblem } from './line-problem.tsx'
import { PairingCodeStep } from './pairing-code-step.tsx'
import { isWaitingForPasskey, PasskeyStep } from './passkey-step.tsx'
import { QrCodeStep } from './qr-code-step.tsx'

export type LineDialogProps = {
  line: Connection | undefined
  opened: boolean
  /** The dialog was opened to see why the line is down, not to get a code. */
  showsReason: boolean
  canUseTestPhone: boolean
  onClose: () => void
  onEdit: (line: Connection, provider?: Connection['provider']) => void
  /** Reloads the lines. */
  onRefetch: () => void
}

/** Design 8: the ways to connect a line, and current problems. Closes when the line is connected. */
export function LineDialog({ line, opened, onClose, ...rest }: LineDialogProps) {
  const words = useTexts(lineDialogTexts)
  const phone = useIsPhone()
  // Keeps the last line while the dialog fades out.
  const [shownLine, setShownLine] = useState(line)
  if (line && line !== shownLine) setShownLine(line)
  return (
    <Modal
      opened={opened && line !== undefined}
      onClose={onClose}
      size={680}
      fullScreen={phone}
      closeButtonProps={{ 'aria-label': words.close }}
      title={
        shownLine && (
          <span className={classes.title}>
            <span className={classes.name}>{words.connectTitle(shownLine.name)}</span>
            <LineStatusChip status={shownLine.status} />
          </span>
        )
      }
    >
      {shownLine && lineTraits[shownLine.provider].account && (
        <CloudAccountStep
          line={shownLine}
          onDone={onClose}
          onEdit={() => rest.onEdit(shownLine)}
          onRefetch={rest.onRefetch}
        />
      )}
      {shownLine && !lineTraits[shownLine.provider].account && (
        <LinkingSteps key={shownLine.id} line={shownLine} {...{ opened, onClose }} {...rest} />
      )}
    </Modal>
  )
}

type LinkingProps = Omit<LineDialogProps, 'line' | 'onRefetch'> & { line: Connection }

/** Links a phone by QR or by code, or shows the problem. */
function LinkingSteps({ line, opened, showsReason, onClose, onEdit, canUseTestPhone }: LinkingProps) {
  const [linkMethod, setLinkMethod] = useState<'qr' | 'code'>('qr')
  const [hasStarted, setHasStarted] = useState(false)
  const isDown = line.status === 'DISCONNECTED' || line.status === 'TIMEOUT'
  // The reason of a line is outdated until the line's state has changed.
  if (!isDown && !hasStarted) setHasStarted(true)
  useCloseWhenConnected(line, opened, onClose)
  const toCloud = () => onEdit(line, 'cloud')
  if (isDown && (hasStarted || showsReason)) return <LineProblem line={line} onUseCloudApi={toCloud} />
  if (isWaitingForPasskey(line)) return <PasskeyStep line={line} />
  if (linkMethod === 'code')
    return <PairingCodeStep line={line} onShowQr={() => setLinkMethod('qr')} onUseCloudApi={toCloud} />
  return (
    <QrCodeStep
      line={line}
      canUseTestPhone={canUseTestPhone}
      onUsePairingCode={() => setLinkMethod('code')}
      onUseCloudApi={toCloud}
    />
  )
}

/** Reasons that need no attention; with any other reason the dialog stays open. */
const silentReasons = ['', 'off', 'qr-timeout']

/** Closes the dialog when a shown code becomes empty (spec, section 4). */
function useCloseWhenConnected(line: Connection, opened: boolean, onClose: () => void): void {
  const words = useTexts(lineDialogTexts)
  const [had, setHad] = useState(false)
  const { qrcode, status, reason, name } = line
  const close = useEffectEvent(() => {
    setHad(false)
    onClose()
    if (status === 'CONNECTED') toast.ok(words.nowConnected(name))
  })
  useEffect(() => {
    if (!opened) return
    if (qrcode) setHad(true)
    else if (status === 'CONNECTED') close()
    // PAIRING and OPENING are transient: the next state decides.
    else if (had && (status === 'DISCONNECTED' || status === 'TIMEOUT') && silentReasons.includes(reason)) close()
  }, [opened, qrcode, status, reason, had])
}
