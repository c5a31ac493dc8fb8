import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/tickets/{-$ticketId}',
  page: lazyRouteComponent(() => import('./tickets-page.tsx'), 'TicketsPage'),
}
