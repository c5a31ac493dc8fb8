import { IconHeartbeat } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Salud', pt: 'Saúde', en: 'Health' },
  menu: { section: 'admin', order: 137, icon: IconHeartbeat },
}
