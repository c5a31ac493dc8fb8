import type { Schedule } from '@recado/contract/schedules/schedules'
import { IconAlertCircle, IconCheck, IconClock, IconPlayerPause, IconSend } from '@tabler/icons-react'
import { formatDayTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { texts } from '../../parts/schedule/texts.ts'
import { StatusChip } from '../../ui/status-chip.tsx'
import { getScheduleDisplayState, type ScheduleDisplayState } from './schedule-state.ts'

const stateStyles = {
  PENDENTE: { kind: 'accent', Icon: IconClock },
  AGENDADA: { kind: 'accent', Icon: IconSend },
  ENVIADA: { kind: 'ok', Icon: IconCheck },
  ERRO: { kind: 'danger', Icon: IconAlertCircle },
  held: { kind: 'warn', Icon: IconPlayerPause },
} as const

export function ScheduleStateIcon({ state }: { state: ScheduleDisplayState }) {
  const { Icon } = stateStyles[state]
  return <Icon size={14} stroke={2} aria-hidden="true" />
}

export function ScheduleStateChip({ row }: { row: Schedule }) {
  const words = useTexts(texts)
  const state = getScheduleDisplayState(row)
  const { kind, Icon } = stateStyles[state]
  return (
    <StatusChip kind={kind} icon={<Icon size={14} stroke={2} aria-hidden="true" />}>
      {words.states[state]}
    </StatusChip>
  )
}

/** Why a message was not sent or is delayed; otherwise empty. */
export function useScheduleReason(): (row: Schedule) => string {
  const words = useTexts(texts)
  return ({ error, heldAt, wroteAt }) => {
    if (heldAt || wroteAt) return words.wrote(formatDayTime(wroteAt ?? heldAt))
    if (!error) return ''
    const known: Record<string, string> = words.reasons
    return known[error.split(':')[0] ?? ''] ?? words.otherReason
  }
}
