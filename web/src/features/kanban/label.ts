import { IconLayoutKanban } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Kanban', pt: 'Kanban', en: 'Kanban' },
  menu: { section: 'work', order: 30, icon: IconLayoutKanban, handy: 70 },
}
