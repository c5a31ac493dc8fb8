import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/live',
  page: lazyRouteComponent(() => import('./live-page.tsx'), 'LivePage'),
  gate: { rule: 'tickets:lead' },
}
