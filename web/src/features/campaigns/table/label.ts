import { IconBroadcast } from '@tabler/icons-react'
import type { Label } from '../../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Campañas', pt: 'Campanhas', en: 'Campaigns' },
  menu: { section: 'admin', order: 10, icon: IconBroadcast },
}
