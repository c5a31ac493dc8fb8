import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/files',
  page: lazyRouteComponent(() => import('./files-page.tsx'), 'FilesPage'),
  gate: { rule: 'drawer-admin-items:view' },
}
