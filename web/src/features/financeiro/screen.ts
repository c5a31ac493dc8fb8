import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/financeiro',
  page: lazyRouteComponent(() => import('./financeiro-page.tsx'), 'FinanceiroPage'),
  gate: { rule: 'financeiro-page:pay' },
}
