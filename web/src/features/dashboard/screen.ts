import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/',
  page: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
  gate: { rule: 'dashboard:view' },
}
