import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/todolist',
  page: lazyRouteComponent(() => import('./todo-list-page.tsx'), 'TodoListPage'),
}
