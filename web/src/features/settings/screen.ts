import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/settings',
  page: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
  gate: { rule: 'drawer-admin-items:view' },
}
