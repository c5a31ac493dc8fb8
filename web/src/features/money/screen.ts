import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/money',
  page: lazyRouteComponent(() => import('./money-page.tsx'), 'MoneyPage'),
  gate: { super: true },
}
