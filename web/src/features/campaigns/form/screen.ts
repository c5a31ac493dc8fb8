import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

/** `new` opens an empty campaign; `?copy=7` starts it as a copy of campaign 7. */
export const screen: Screen = {
  path: '/campaigns/$campaignId',
  page: lazyRouteComponent(() => import('./campaign-page.tsx'), 'CampaignPage'),
  gate: { rule: 'campaigns-page:manage', plan: 'useCampaigns', flag: 'cshow' },
}
