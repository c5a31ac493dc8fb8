import { IconLayoutDashboard } from '@tabler/icons-react'
import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Mis números', pt: 'Meus números', en: 'My numbers' },
  menu: { section: 'work', order: 15, icon: IconLayoutDashboard },
}
