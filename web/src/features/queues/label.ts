import { IconHierarchy2 } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Colas', pt: 'Filas', en: 'Queues' },
  menu: { section: 'admin', order: 30, icon: IconHierarchy2 },
}
