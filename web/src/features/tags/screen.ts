import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/tags',
  page: lazyRouteComponent(() => import('./tags-page.tsx'), 'TagsPage'),
}
