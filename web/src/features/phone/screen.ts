import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/phone',
  page: lazyRouteComponent(() => import('./phone-page.tsx'), 'PhonePage'),
  gate: { rule: 'sandbox-page:use' },
}
