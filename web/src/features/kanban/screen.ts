import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/kanban',
  page: lazyRouteComponent(() => import('./kanban-page.tsx'), 'KanbanPage'),
  gate: { plan: 'useKanban' },
}
