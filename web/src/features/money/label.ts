import { IconCoins } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Dinero', pt: 'Dinheiro', en: 'Money' },
  menu: { section: 'admin', order: 135, icon: IconCoins },
}
