import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Ajustes de campañas', pt: 'Configurações de campanhas', en: 'Campaign settings' },
  menu: { section: 'automation', order: 30, icon: IconAdjustmentsHorizontal },
}
