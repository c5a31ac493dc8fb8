import { IconCreditCard } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Facturas', pt: 'Faturas', en: 'Invoices' },
  menu: { section: 'admin', order: 100, icon: IconCreditCard },
}
