import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

export const screen: Screen = {
  path: '/flows',
  page: lazyRouteComponent(() => import('./flows-page.tsx'), 'FlowsPage'),
  gate: { rule: 'flows-page:edit' },
}
