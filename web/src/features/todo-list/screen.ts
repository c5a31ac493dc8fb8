import { IconListCheck } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/todolist',
  name: { es: 'Tareas', pt: 'Tarefas', en: 'Tasks' },
  page: lazyRouteComponent(() => import('./todo-list-page.tsx'), 'TodoListPage'),
  menu: { section: 'work', order: 50, icon: IconListCheck, handy: 50 },
}
