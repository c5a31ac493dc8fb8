import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

export const screen: Screen = {
  path: '/campaign/$campaignId/report',
  page: lazyRouteComponent(() => import('./campaign-report-page.tsx'), 'CampaignReportPage'),
  gate: { rule: 'campaigns-page:manage', plan: 'useCampaigns', flag: 'cshow' },
}
