import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../../lib/screen.ts'

export const screen: Screen = {
  path: '/rules/sequences/$sequenceId',
  page: lazyRouteComponent(() => import('./sequence-page.tsx'), 'SequencePage'),
  gate: { rule: 'flows-page:edit' },
}
