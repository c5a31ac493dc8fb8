import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/connections',
  page: lazyRouteComponent(() => import('./connections-page.tsx'), 'ConnectionsPage'),
  gate: { rule: 'drawer-admin-items:view' },
}
