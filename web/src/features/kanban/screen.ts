import { IconLayoutKanban } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/kanban',
  name: { es: 'Kanban', pt: 'Kanban', en: 'Kanban' },
  page: lazyRouteComponent(() => import('./kanban-page.tsx'), 'KanbanPage'),
  gate: { plan: 'useKanban' },
  menu: { section: 'work', order: 30, icon: IconLayoutKanban, handy: 70 },
}
