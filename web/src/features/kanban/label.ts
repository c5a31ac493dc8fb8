import { IconLayoutKanban } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Tablero', pt: 'Kanban', en: 'Kanban' },
  menu: { section: 'work', order: 30, icon: IconLayoutKanban, bottomBarOrder: 70 },
}
