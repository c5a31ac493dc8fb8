import type { Connection, LineStatus as Status } from '@recado/contract/connections'
import { IconCircleCheck, IconClockExclamation, IconLoader2, IconPlugConnectedX, IconQrcode } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { formatTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { StatusChip } from '../../ui/status-chip.tsx'
import classes from './line-status-chip.module.css'
import { lineTexts } from './line-texts.ts'

type StatusStyle = { kind: ComponentProps<typeof StatusChip>['kind']; icon: typeof IconQrcode; isSpinning?: true }
const statusStyles: Record<Status, StatusStyle> = {
  CONNECTED: { kind: 'ok', icon: IconCircleCheck },
  qrcode: { kind: 'warn', icon: IconQrcode },
  PAIRING: { kind: 'accent', icon: IconLoader2, isSpinning: true },
  OPENING: { kind: 'accent', icon: IconLoader2, isSpinning: true },
  DISCONNECTED: { kind: 'danger', icon: IconPlugConnectedX },
  TIMEOUT: { kind: 'danger', icon: IconClockExclamation },
}

/** The state of a line as icon and word (design 8, "Lines"). */
export function LineStatusChip({ status }: { status: Status }) {
  const words = useTexts(lineTexts)
  const { kind, icon: Icon, isSpinning } = statusStyles[status]
  return (
    <StatusChip
      kind={kind}
      icon={<Icon size={14} stroke={2} aria-hidden="true" className={isSpinning && (classes.turns ?? '')} />}
    >
      {words.status[status]}
    </StatusChip>
  )
}

type LineState = Pick<Connection, 'status' | 'reason' | 'updatedAt'>

/** While a code is shown, only reasons about the code are shown. */
const hasReason = ({ status, reason }: LineState): boolean =>
  status !== 'CONNECTED' && (status !== 'qrcode' || reason === 'passkey' || reason === 'pairing-failed')

/** Why the line is not connected, as text; empty while there is no problem. */
export function useLineStatusReason(): (line: LineState) => string {
  const words = useTexts(lineTexts)
  return (line) => {
    const { status, reason, updatedAt } = line
    if (!hasReason(line)) return ''
    if (reason) return (words.reason as Record<string, string>)[reason] ?? words.unknownReason(reason)
    return status === 'TIMEOUT' ? words.silentSince(formatTime(updatedAt)) : ''
  }
}

/** The advice for the line's current reason. */
export function useLineNextStep(): (line: LineState) => string {
  const words = useTexts(lineTexts)
  return (line) => (hasReason(line) ? ((words.next as Record<string, string>)[line.reason] ?? '') : '')
}
