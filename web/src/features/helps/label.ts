import { IconHelpCircle } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Ayuda', pt: 'Ajuda', en: 'Help' },
  menu: { section: 'work', order: 100, icon: IconHelpCircle, bottomBarOrder: 70 },
}
