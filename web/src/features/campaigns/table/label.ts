import { IconBroadcast } from '@tabler/icons-react'
import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Campañas', pt: 'Campanhas', en: 'Campaigns' },
  menu: { section: 'automation', order: 10, icon: IconBroadcast },
}
