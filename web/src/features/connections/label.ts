import { IconDeviceMobile } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Líneas', pt: 'Linhas', en: 'Lines' },
  menu: { section: 'admin', order: 70, icon: IconDeviceMobile, alert: 'lines' },
}
