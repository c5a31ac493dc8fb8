import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

/** The dashboard page for users without the company dashboard: supervisors see their queues, agents themselves. */
export const screen: Screen = {
  path: '/figures',
  page: lazyRouteComponent(() => import('./own-dashboard-page.tsx'), 'OwnDashboardPage'),
  gate: { rule: 'figures-page:view' },
}
