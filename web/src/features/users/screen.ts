import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/users',
  page: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
  gate: { rule: 'drawer-admin-items:view' },
}
