import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/announcements',
  page: lazyRouteComponent(() => import('./announcements-page.tsx'), 'AnnouncementsPage'),
  gate: { super: true },
}
