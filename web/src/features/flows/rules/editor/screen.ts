import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../../lib/screen.ts'

export const screen: Screen = {
  path: '/rules/$ruleId',
  page: lazyRouteComponent(() => import('./rule-page.tsx'), 'RulePage'),
  gate: { rule: 'flows-page:edit' },
}
