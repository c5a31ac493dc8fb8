import { IconMessages } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/tickets/{-$ticketId}',
  name: { es: 'Tickets', pt: 'Tickets', en: 'Tickets' },
  page: lazyRouteComponent(() => import('./tickets-page.tsx'), 'TicketsPage'),
  menu: { section: 'work', order: 20, icon: IconMessages, alert: 'unread', handy: 10 },
}
