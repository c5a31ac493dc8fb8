import { IconCreditCard } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Facturas', pt: 'Faturas', en: 'Invoices' },
  menu: { section: 'admin', order: 130, icon: IconCreditCard },
}
