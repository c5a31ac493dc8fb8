import { IconLayoutDashboard } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Panel', pt: 'Painel', en: 'Dashboard' },
  menu: { section: 'work', order: 10, icon: IconLayoutDashboard },
}
