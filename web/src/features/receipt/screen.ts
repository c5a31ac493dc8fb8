import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/receipt/{-$id}',
  page: lazyRouteComponent(() => import('./receipt-page.tsx'), 'ReceiptPage'),
  gate: { rule: 'financeiro-page:pay' },
}
