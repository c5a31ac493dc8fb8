import { IconLayoutDashboard } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Panel', pt: 'Painel', en: 'Dashboard' },
  menu: { section: 'work', order: 10, icon: IconLayoutDashboard },
}
