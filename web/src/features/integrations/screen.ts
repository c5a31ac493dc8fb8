import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/queue-integration',
  page: lazyRouteComponent(() => import('./integrations-page.tsx'), 'IntegrationsPage'),
  gate: { rule: 'integrations-page:edit', plan: 'useIntegrations' },
}
