import { IconHierarchy2 } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/queues',
  name: { es: 'Colas', pt: 'Filas', en: 'Queues' },
  page: lazyRouteComponent(() => import('./queues-page.tsx'), 'QueuesPage'),
  gate: { rule: 'drawer-admin-items:view' },
  menu: { section: 'admin', order: 100, icon: IconHierarchy2 },
}
