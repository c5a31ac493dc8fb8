import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { StatusChip } from '../../../ui/status-chip.tsx'
import { texts } from './texts.ts'

/** Whether the contact is on WhatsApp. In narrow places only the icon, with its text for screen readers. */
export function WhatsAppValidityChip({
  isValid: valid,
  isShort: brief,
}: {
  isValid: boolean | null
  isShort: boolean
}) {
  const words = useTexts(texts)
  const [kind, Icon, said] =
    valid === null
      ? (['accent', IconClock, words.valid.unknown] as const)
      : valid
        ? (['ok', IconCircleCheck, words.valid.yes] as const)
        : (['off', IconCircleX, words.valid.no] as const)
  if (brief)
    return (
      <StatusChip kind={kind}>
        <Icon size={16} stroke={2} role="img" aria-label={said} />
      </StatusChip>
    )
  return (
    <StatusChip kind={kind} icon={<Icon size={14} stroke={2} aria-hidden="true" />}>
      {said}
    </StatusChip>
  )
}
