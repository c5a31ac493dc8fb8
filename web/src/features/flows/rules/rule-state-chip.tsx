import type { FlowSummary } from '@recado/contract/flows/flows'
import { IconAlertTriangle, IconCheck, IconPencil, IconPlayerPause } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { StatusChip } from '../../../ui/status-chip.tsx'
import { rulesTexts } from './texts.ts'

const icon = { size: 14, stroke: 2, 'aria-hidden': true }

/** The state of a rule in the list. */
export function RuleStateChip({ state, failed }: Pick<FlowSummary, 'state' | 'failed'>) {
  const words = useTexts(rulesTexts)
  if (state === 'draft')
    return (
      <StatusChip kind="off" icon={<IconPencil {...icon} />}>
        {words.draft}
      </StatusChip>
    )
  if (state === 'stopped')
    return (
      <StatusChip kind="danger" icon={<IconPlayerPause {...icon} />}>
        {words.stopped}
      </StatusChip>
    )
  if (state === 'off') return <StatusChip kind="off">{words.off}</StatusChip>
  if (failed > 0)
    return (
      <StatusChip kind="warn" icon={<IconAlertTriangle {...icon} />}>
        {words.failures(failed)}
      </StatusChip>
    )
  return (
    <StatusChip kind="ok" icon={<IconCheck {...icon} />}>
      {words.upToDate}
    </StatusChip>
  )
}
