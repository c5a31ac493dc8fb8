import { IconSettings } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Ajustes', pt: 'Ajustes', en: 'Settings' },
  menu: { section: 'admin', order: 140, icon: IconSettings },
}
