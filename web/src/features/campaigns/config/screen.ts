import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

export const screen: Screen = {
  path: '/campaigns-config',
  page: lazyRouteComponent(() => import('./campaign-config-page.tsx'), 'CampaignConfigPage'),
  gate: { rule: 'campaigns-page:manage', plan: 'useCampaigns', flag: 'cshow' },
}
