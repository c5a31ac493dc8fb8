import { IconHelpCircle } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Ayuda', pt: 'Ajuda', en: 'Help' },
  menu: { section: 'foot', order: 10, icon: IconHelpCircle, bottomBarOrder: 70 },
}
