import { Button, Loader, Modal } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { IconInfoCircle, IconScan } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Fragment, useEffect, useEffectEvent, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { LineStatus } from '../../parts/line-status.tsx'
import { lineTexts } from '../../parts/line-texts.ts'
import { QrClock } from '../../parts/qr-clock.tsx'
import { QrCode } from '../../parts/qr-code.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import classes from './qr-dialog.module.css'
import { texts } from './texts.ts'

type Props = { line: Connection | undefined; opened: boolean; onClose: () => void; mayPhone: boolean }

/** Design 8: the code on white, three steps, the time left. It closes when the code has done its work, or is void. */
export function QrDialog({ line, opened, onClose, mayPhone }: Props) {
  const words = useTexts(texts)
  const phone = usePhone()
  useSelfClosing(line, opened, onClose)
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
      {shown && (
        <div className={classes.root}>
          <Code line={shown} />
          <HowTo line={shown} mayPhone={mayPhone} />
        </div>
      )}
    </Modal>
  )
}

/** An empty code after one that was shown closes the dialog (spec, section 4). */
function useSelfClosing(line: Connection | undefined, opened: boolean, onClose: () => void): void {
  const words = useTexts(texts)
  const [had, setHad] = useState<number | null>(null)
  const close = useEffectEvent(() => {
    setHad(null)
    onClose()
    if (line?.status === 'CONNECTED') toast.ok(words.nowConnected(line.name))
  })
  const { id, qrcode = '', status } = line ?? {}
  useEffect(() => {
    if (!opened || id === undefined) return
    if (qrcode) setHad(id)
    // PAIRING passes: what follows it is worth telling.
    else if (status === 'CONNECTED' || (had === id && status !== 'PAIRING')) close()
  }, [opened, id, qrcode, status, had])
}

function Code({ line }: { line: Connection }) {
  const words = useTexts(texts)
  const common = useTexts(lineTexts)
  if (!line.qrcode) {
    return (
      <div className={classes.waiting} role="status">
        <Loader size={22} />
        {line.status === 'PAIRING' ? common.status.PAIRING : words.preparing}
      </div>
    )
  }
  return (
    <div>
      <QrCode text={line.qrcode} label={common.qr} />
      <QrClock line={line} />
    </div>
  )
}

function HowTo({ line, mayPhone }: { line: Connection; mayPhone: boolean }) {
  const words = useTexts(texts)
  const test = line.provider === 'sandbox'
  return (
    <div>
      <ol className={classes.steps}>
        {(test ? words.testSteps : words.steps).map((step) => (
          <li key={step.join('')}>
            {step.map((part, i) => (
              // Words in bold and plain ones take turns.
              <Fragment key={part}>{i % 2 === 0 ? <b>{part}</b> : part}</Fragment>
            ))}
          </li>
        ))}
      </ol>
      <p className={classes.hint}>
        <IconInfoCircle size={17} stroke={1.75} aria-hidden="true" />
        <span>{test ? words.testHint : words.hint}</span>
      </p>
      {test && mayPhone && (
        <Button
          component={Link}
          {...({ to: '/phone', search: { line: line.id } } as object)}
          leftSection={<IconScan size={17} stroke={1.75} />}
          className={classes.scan ?? ''}
        >
          {words.scan}
        </Button>
      )}
    </div>
  )
}
