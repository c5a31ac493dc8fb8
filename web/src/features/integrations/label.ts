import { IconAffiliate } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Integraciones', pt: 'Integrações', en: 'Integrations' },
  menu: { section: 'admin', order: 60, icon: IconAffiliate },
}
