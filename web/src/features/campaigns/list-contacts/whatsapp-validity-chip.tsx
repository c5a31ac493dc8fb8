import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { StatusChip } from '../../../ui/status-chip.tsx'
import { texts } from './texts.ts'

/** Whether the contact is on WhatsApp. In narrow places only the icon is shown, with its text for screen readers. */
export function WhatsAppValidityChip({ isValid, isShort }: { isValid: boolean | null; isShort: boolean }) {
  const words = useTexts(texts)
  const [kind, Icon, label] =
    isValid === null
      ? (['accent', IconClock, words.valid.unknown] as const)
      : isValid
        ? (['ok', IconCircleCheck, words.valid.yes] as const)
        : (['off', IconCircleX, words.valid.no] as const)
  if (isShort)
    return (
      <StatusChip kind={kind}>
        <Icon size={16} stroke={2} role="img" aria-label={label} />
      </StatusChip>
    )
  return (
    <StatusChip kind={kind} icon={<Icon size={14} stroke={2} aria-hidden="true" />}>
      {label}
    </StatusChip>
  )
}
