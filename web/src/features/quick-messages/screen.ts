import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/quick-messages',
  page: lazyRouteComponent(() => import('./quick-messages-page.tsx'), 'QuickMessagesPage'),
}
