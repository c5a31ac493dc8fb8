import { IconAffiliate } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Integraciones', pt: 'Integrações', en: 'Integrations' },
  menu: { section: 'admin', order: 60, icon: IconAffiliate },
}
