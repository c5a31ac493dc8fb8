import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

export const screen: Screen = {
  path: '/rules',
  page: lazyRouteComponent(() => import('./rules-page.tsx'), 'RulesPage'),
  gate: { rule: 'flows-page:edit' },
}
