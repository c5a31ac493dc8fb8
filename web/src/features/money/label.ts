import { IconCoins } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Facturación', pt: 'Financeiro', en: 'Billing' },
  menu: { section: 'admin', order: 110, icon: IconCoins },
}
