import { Button, Loader } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { IconCloud, IconInfoCircle, IconKey, IconScan } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../../lib/texts.ts'
import { useLineStatusReason } from '../../../parts/line/line-status-chip.tsx'
import { lineTexts } from '../../../parts/line/line-texts.ts'
import { QrCode } from '../../../parts/line/qr-code.tsx'
import { QrCountdown } from '../../../parts/line/qr-countdown.tsx'
import { InstructionSteps } from './instruction-steps.tsx'
import classes from './line-dialog.module.css'
import { lineDialogTexts } from './line-dialog-texts.ts'

type Props = { line: Connection; canUseTestPhone: boolean; onUsePairingCode: () => void; onUseCloudApi: () => void }

/** The QR code on white, three steps, the time left. */
export function QrCodeStep({ line, canUseTestPhone, onUsePairingCode, onUseCloudApi }: Props) {
  const words = useTexts(lineDialogTexts)
  const { test } = lineTraits[line.provider]
  return (
    <div className={classes.root}>
      <QrCodeOrStatus line={line} />
      <div>
        <InstructionSteps steps={test ? words.testSteps : words.steps} />
        <p className={classes.hint}>
          <IconInfoCircle size={17} stroke={1.75} aria-hidden="true" />
          <span>{test ? words.testHint : words.hint}</span>
        </p>
        {test && canUseTestPhone && (
          <Button
            component={Link}
            {...({ to: '/phone', search: { line: line.id } } as object)}
            leftSection={<IconScan size={17} stroke={1.75} />}
            className={classes.scan ?? ''}
          >
            {words.scan}
          </Button>
        )}
        {!test && (
          <OtherMethods>
            <OtherMethodButton icon={IconKey} onClick={onUsePairingCode}>
              {words.useCode}
            </OtherMethodButton>
            <OtherMethodButton icon={IconCloud} onClick={onUseCloudApi}>
              {words.useCloud}
            </OtherMethodButton>
          </OtherMethods>
        )}
      </div>
    </div>
  )
}

function QrCodeOrStatus({ line }: { line: Connection }) {
  const words = useTexts(lineDialogTexts)
  const common = useTexts(lineTexts)
  const reason = useLineStatusReason()(line)
  if (!line.qrcode) {
    return (
      <div className={classes.waiting} role="status">
        <Loader size={22} />
        <span>{line.status === 'PAIRING' ? common.status.PAIRING : words.preparing}</span>
        {line.status !== 'DISCONNECTED' && reason && <small>{reason}</small>}
      </div>
    )
  }
  return (
    <div>
      <QrCode text={line.qrcode} label={common.qr} />
      <QrCountdown line={line} />
    </div>
  )
}

export const OtherMethods = ({ children }: { children: React.ReactNode }) => (
  <div className={classes.ways}>{children}</div>
)

type WayProps = { icon: typeof IconKey; onClick: () => void; children: string }
export function OtherMethodButton({ icon: Icon, onClick, children }: WayProps) {
  return (
    <button type="button" className={classes.way} onClick={onClick}>
      <Icon size={17} stroke={1.75} aria-hidden="true" />
      {children}
    </button>
  )
}
