import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

/** `new` for one that is about to be made; `?copy=7` begins it as a copy. */
export const screen: Screen = {
  path: '/campaigns/$campaignId',
  page: lazyRouteComponent(() => import('./campaign-page.tsx'), 'CampaignPage'),
  gate: { rule: 'campaigns-page:manage', plan: 'useCampaigns', flag: 'cshow' },
}
