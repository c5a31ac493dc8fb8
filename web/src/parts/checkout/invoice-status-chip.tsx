import { type Invoice, invoiceStatusOn } from '@recado/contract/money/invoices'
import { IconAlertCircle, IconBan, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import { StatusChip } from '../../ui/status-chip.tsx'
import { texts } from './texts.ts'

const statusStyles = {
  paid: { kind: 'ok', Icon: IconCircleCheck },
  open: { kind: 'accent', Icon: IconClock },
  expired: { kind: 'danger', Icon: IconAlertCircle },
  cancelled: { kind: 'off', Icon: IconBan },
} as const

/** The current state of an invoice: text, icon and colour. */
export function InvoiceStatusChip({ invoice }: { invoice: Pick<Invoice, 'status' | 'dueDate'> }) {
  const words = useTexts(texts)
  const standing = invoiceStatusOn(invoice, new Date())
  const { kind, Icon } = statusStyles[standing]
  return (
    <StatusChip kind={kind} icon={<Icon size={14} stroke={2} aria-hidden="true" />}>
      {words.standing[standing]}
    </StatusChip>
  )
}
