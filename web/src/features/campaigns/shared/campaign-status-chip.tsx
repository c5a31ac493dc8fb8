import type { Campaign } from '@recado/contract/campaigns/campaigns'
import {
  IconBan,
  IconCalendarEvent,
  IconCircleCheck,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { StatusChip } from '../../../ui/status-chip.tsx'
import { campaignScreenTexts } from './texts.ts'

const statusStyles = {
  INATIVA: { kind: 'off', Icon: IconPencil },
  PROGRAMADA: { kind: 'accent', Icon: IconCalendarEvent },
  EM_ANDAMENTO: { kind: 'accent', Icon: IconPlayerPlay },
  CANCELADA: { kind: 'off', Icon: IconBan },
  FINALIZADA: { kind: 'ok', Icon: IconCircleCheck },
  held: { kind: 'warn', Icon: IconPlayerPause },
} as const

/** A campaign that the server stopped is not cancelled: it waits for a user. */
export function CampaignStatusChip({ campaign: { status, held } }: { campaign: Pick<Campaign, 'status' | 'held'> }) {
  const words = useTexts(campaignScreenTexts)
  const state = status === 'EM_ANDAMENTO' && held !== null ? 'held' : status
  const { kind, Icon } = statusStyles[state]
  return (
    <StatusChip kind={kind} icon={<Icon size={14} stroke={2} aria-hidden="true" />}>
      {words.states[state]}
    </StatusChip>
  )
}
