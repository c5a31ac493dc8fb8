import { IconHierarchy2 } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Colas', pt: 'Filas', en: 'Queues' },
  menu: { section: 'admin', order: 100, icon: IconHierarchy2 },
}
