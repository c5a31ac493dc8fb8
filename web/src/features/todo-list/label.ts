import { IconListCheck } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Tareas', pt: 'Tarefas', en: 'Tasks' },
  menu: { section: 'work', order: 50, icon: IconListCheck, handy: 50 },
}
