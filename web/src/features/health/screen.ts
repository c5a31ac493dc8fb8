import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/health',
  page: lazyRouteComponent(() => import('./health-page.tsx'), 'HealthPage'),
  gate: { super: true },
}
