import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/subscription',
  page: lazyRouteComponent(() => import('./subscription-page.tsx'), 'SubscriptionPage'),
  gate: { rule: 'financeiro-page:pay' },
}
