import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

export const screen: Screen = {
  path: '/flows/$flowId',
  page: lazyRouteComponent(() => import('./flow-page.tsx'), 'FlowPage'),
  gate: { rule: 'flows-page:edit' },
}
