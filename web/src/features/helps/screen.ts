import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/helps',
  page: lazyRouteComponent(() => import('./helps-page.tsx'), 'HelpsPage'),
}
