import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/queues',
  page: lazyRouteComponent(() => import('./queues-page.tsx'), 'QueuesPage'),
  gate: { rule: 'drawer-admin-items:view' },
}
