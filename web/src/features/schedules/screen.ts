import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/schedules',
  page: lazyRouteComponent(() => import('./schedules-page.tsx'), 'SchedulesPage'),
  gate: { plan: 'useSchedules' },
}
