import { IconSettings } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/settings',
  name: { es: 'Ajustes', pt: 'Ajustes', en: 'Settings' },
  page: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
  gate: { rule: 'drawer-admin-items:view' },
  menu: { section: 'admin', order: 140, icon: IconSettings },
}
