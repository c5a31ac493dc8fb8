import { IconDeviceMobile } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/connections',
  name: { es: 'Líneas', pt: 'Linhas', en: 'Lines' },
  page: lazyRouteComponent(() => import('./connections-page.tsx'), 'ConnectionsPage'),
  gate: { rule: 'drawer-admin-items:view' },
  menu: { section: 'admin', order: 70, icon: IconDeviceMobile, alert: 'lines' },
}
