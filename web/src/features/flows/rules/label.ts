import { IconRoute2 } from '@tabler/icons-react'
import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Reglas', pt: 'Regras', en: 'Rules' },
  menu: { section: 'automation', order: 35, icon: IconRoute2 },
}
