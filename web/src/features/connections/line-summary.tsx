import type { Connection } from '@recado/contract/connections'
import { IconCircleCheck, IconLoader2, IconPlugConnectedX, IconQrcode } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import { StatusChip } from '../../ui/status-chip.tsx'
import { texts } from './texts.ts'

const icon = { size: 14, stroke: 2, 'aria-hidden': true }

/** The overall state of the lines. */
export function LineSummary({ lines }: { lines: Connection[] }) {
  const words = useTexts(texts)
  const count = (...statuses: Connection['status'][]) => lines.filter(({ status }) => statuses.includes(status)).length
  const [connected, waiting] = [count('CONNECTED'), count('qrcode')]
  const [opening, troubled] = [count('OPENING', 'PAIRING'), count('DISCONNECTED', 'TIMEOUT')]
  return (
    <>
      {connected > 0 && (
        <StatusChip kind="ok" icon={<IconCircleCheck {...icon} />}>
          {words.connected(connected)}
        </StatusChip>
      )}
      {waiting > 0 && (
        <StatusChip kind="warn" icon={<IconQrcode {...icon} />}>
          {words.waiting(waiting)}
        </StatusChip>
      )}
      {opening > 0 && (
        <StatusChip kind="accent" icon={<IconLoader2 {...icon} />}>
          {words.opening(opening)}
        </StatusChip>
      )}
      {troubled > 0 && (
        <StatusChip kind="danger" icon={<IconPlugConnectedX {...icon} />}>
          {words.troubled(troubled)}
        </StatusChip>
      )}
    </>
  )
}
