import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/contacts',
  page: lazyRouteComponent(() => import('./contacts-page.tsx'), 'ContactsPage'),
}
