import { IconSettings } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Ajustes', pt: 'Configurações', en: 'Settings' },
  menu: { section: 'admin', order: 130, icon: IconSettings },
}
