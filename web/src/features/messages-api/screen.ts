import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/messages-api',
  page: lazyRouteComponent(() => import('./messages-api-page.tsx'), 'MessagesApiPage'),
  gate: { rule: 'messages-api-page:manage', plan: 'useExternalApi' },
}
