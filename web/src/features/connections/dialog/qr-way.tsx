import { Button, Loader } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { traits } from '@recado/contract/traits'
import { IconCloud, IconInfoCircle, IconKey, IconScan } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../../lib/texts.ts'
import { useLineReason } from '../../../parts/line/line-status.tsx'
import { lineTexts } from '../../../parts/line/line-texts.ts'
import { QrClock } from '../../../parts/line/qr-clock.tsx'
import { QrCode } from '../../../parts/line/qr-code.tsx'
import { dialogTexts } from './dialog-texts.ts'
import classes from './line-dialog.module.css'
import { Steps } from './steps.tsx'

type Props = { line: Connection; mayPhone: boolean; onCode: () => void; onCloud: () => void }

/** The code on white, three steps, the time left. */
export function QrWay({ line, mayPhone, onCode, onCloud }: Props) {
  const words = useTexts(dialogTexts)
  const { test } = traits[line.provider]
  return (
    <div className={classes.root}>
      <Code line={line} />
      <div>
        <Steps steps={test ? words.testSteps : words.steps} />
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
        {!test && (
          <OtherWays>
            <OtherWay icon={IconKey} onClick={onCode}>
              {words.useCode}
            </OtherWay>
            <OtherWay icon={IconCloud} onClick={onCloud}>
              {words.useCloud}
            </OtherWay>
          </OtherWays>
        )}
      </div>
    </div>
  )
}

function Code({ line }: { line: Connection }) {
  const words = useTexts(dialogTexts)
  const common = useTexts(lineTexts)
  const reason = useLineReason()(line)
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
      <QrClock line={line} />
    </div>
  )
}

export const OtherWays = ({ children }: { children: React.ReactNode }) => <div className={classes.ways}>{children}</div>

type WayProps = { icon: typeof IconKey; onClick: () => void; children: string }
export function OtherWay({ icon: Icon, onClick, children }: WayProps) {
  return (
    <button type="button" className={classes.way} onClick={onClick}>
      <Icon size={17} stroke={1.75} aria-hidden="true" />
      {children}
    </button>
  )
}
