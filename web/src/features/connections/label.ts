import { IconDeviceMobile } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Líneas', pt: 'Linhas', en: 'Lines' },
  menu: { section: 'admin', order: 10, icon: IconDeviceMobile, alert: 'lines' },
}
