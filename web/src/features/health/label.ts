import { IconHeartbeat } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Salud', pt: 'Saúde', en: 'Health' },
  menu: { section: 'admin', order: 120, icon: IconHeartbeat },
}
