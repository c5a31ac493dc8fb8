import { IconLayoutDashboard } from '@tabler/icons-react'
import type { Label } from '../../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Mis cifras', pt: 'Meus números', en: 'My figures' },
  menu: { section: 'work', order: 15, icon: IconLayoutDashboard },
}
