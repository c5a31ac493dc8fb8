import { Modal } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { traits } from '@recado/contract/traits'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { LineStatus } from '../../../parts/line/line-status.tsx'
import { usePhone } from '../../../ui/use-phone.ts'
import { Account } from './account.tsx'
import { CodeWay } from './code-way.tsx'
import { dialogTexts } from './dialog-texts.ts'
import classes from './line-dialog.module.css'
import { QrWay } from './qr-way.tsx'
import { Trouble } from './trouble.tsx'

export type LineDialogProps = {
  line: Connection | undefined
  opened: boolean
  /** Somebody asked why it is down, rather than for a code. */
  asksWhy: boolean
  mayPhone: boolean
  onClose: () => void
  onEdit: (line: Connection, provider?: Connection['provider']) => void
  /** Reads the lines again. */
  onLook: () => void
}

/** Design 8: the ways to connect a line, and what is in the way. It closes when the line is connected. */
export function LineDialog({ line, opened, onClose, ...rest }: LineDialogProps) {
  const words = useTexts(dialogTexts)
  const phone = usePhone()
  // The last line stays while the dialog fades.
  const [shown, setShown] = useState(line)
  if (line && line !== shown) setShown(line)
  return (
    <Modal
      opened={opened && line !== undefined}
      onClose={onClose}
      size={680}
      fullScreen={phone}
      closeButtonProps={{ 'aria-label': words.close }}
      title={
        shown && (
          <span className={classes.title}>
            <span className={classes.name}>{words.connectTitle(shown.name)}</span>
            <LineStatus status={shown.status} />
          </span>
        )
      }
    >
      {shown && traits[shown.provider].account && (
        <Account line={shown} onDone={onClose} onEdit={() => rest.onEdit(shown)} onLook={rest.onLook} />
      )}
      {shown && !traits[shown.provider].account && (
        <Linking key={shown.id} line={shown} {...{ opened, onClose }} {...rest} />
      )}
    </Modal>
  )
}

type LinkingProps = Omit<LineDialogProps, 'line' | 'onLook'> & { line: Connection }

/** A phone is linked by a picture or by a code; or something is in the way. */
function Linking({ line, opened, asksWhy, onClose, onEdit, mayPhone }: LinkingProps) {
  const [way, setWay] = useState<'qr' | 'code'>('qr')
  const [begun, setBegun] = useState(false)
  const isDown = line.status === 'DISCONNECTED' || line.status === 'TIMEOUT'
  // Until the line has moved, what it says is about before.
  if (!isDown && !begun) setBegun(true)
  useSelfClosing(line, opened, onClose)
  const toCloud = () => onEdit(line, 'cloud')
  if (isDown && (begun || asksWhy)) return <Trouble line={line} onCloud={toCloud} />
  if (way === 'code') return <CodeWay line={line} onQr={() => setWay('qr')} onCloud={toCloud} />
  return <QrWay line={line} mayPhone={mayPhone} onCode={() => setWay('code')} onCloud={toCloud} />
}

/** What a person has to know of stays in sight; the rest has said all there is to say. */
const passing = ['', 'off', 'qr-timeout']

/** An empty code after one that was shown closes the dialog (spec, section 4). */
function useSelfClosing(line: Connection, opened: boolean, onClose: () => void): void {
  const words = useTexts(dialogTexts)
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
    // PAIRING and OPENING pass: what follows them is worth telling.
    else if (had && (status === 'DISCONNECTED' || status === 'TIMEOUT') && passing.includes(reason)) close()
  }, [opened, qrcode, status, reason, had])
}
