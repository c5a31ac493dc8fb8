import { IconListCheck } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Tareas', pt: 'Tarefas', en: 'Tasks' },
  menu: { section: 'work', order: 50, icon: IconListCheck, bottomBarOrder: 50 },
}
